import * as z from 'zod';
import { Failure } from '../errors.ts';
import { Language, Sha256, Timestamp } from '../ids.ts';
import { PackageFile } from '../research/package.ts';

export const ArtifactInput = z.object({
  artifact_id: z.string(),
  task_id: z.string(),
  reply_to: z.string(),
  title: z.string(),
  question: z.string(),
  language: Language,
  plan_hash: Sha256,
  /** The state the task will end in once this is sealed. */
  task_status: z.string(),
  created_time: Timestamp,
});
export type ArtifactInput = z.infer<typeof ArtifactInput>;

/** Artifact → task. */
export const ArtifactReport = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('artifact.sealed'),
    artifact_id: z.string(),
    revision: z.int(),
    manifest_sha256: Sha256,
    files: z.array(PackageFile),
  }),
  z.object({ type: z.literal('artifact.failed'), artifact_id: z.string(), failure: Failure }),
]);
export type ArtifactReport = z.infer<typeof ArtifactReport>;
