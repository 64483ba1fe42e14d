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

/** Task → conversation. */
export const TaskReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('turn.task_started'), task_id: z.string(), turn_id: z.string() }),
  z.object({
    type: z.literal('turn.task_ended'),
    task_id: z.string(),
    turn_id: z.string(),
    status: z.string(),
    markdown: z.string(),
    citations: z.array(z.json()),
    gaps: z.array(z.json()),
    artifact: z.object({ artifact_id: z.string(), revision: z.int(), title: z.string() }).nullable(),
  }),
]);
export type TaskReport = z.infer<typeof TaskReport>;
