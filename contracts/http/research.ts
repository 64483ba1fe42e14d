import * as z from 'zod';
import { RoleRunRecord } from '../actors/role.ts';
import { Sha256, Timestamp } from '../ids.ts';
import { Evidence } from '../research/evidence.ts';
import { PackageFile } from '../research/package.ts';
import { SourceRevision } from '../research/source.ts';

export const ArtifactView = z.object({
  artifact_id: z.string(),
  task_id: z.string(),
  revision: z.int().positive(),
  kind: z.enum(['report']),
  title: z.string(),
  status: z.enum(['sealing', 'sealed']),
  report_status: z.string(),
  review_status: z.string(),
  manifest_sha256: Sha256.nullable(),
  files: z.array(PackageFile),
  created_time: Timestamp,
});
export type ArtifactView = z.infer<typeof ArtifactView>;

export const ArtifactList = z.object({ artifacts: z.array(ArtifactView) });

/** The text as it was read, with the quotes that were taken from it. */
export const SourceRevisionView = SourceRevision.extend({
  spans: z.array(Evidence.pick({ evidence_id: true, start: true, end: true, stance: true })),
});
export type SourceRevisionView = z.infer<typeof SourceRevisionView>;

export const EvidenceView = Evidence.extend({
  source: SourceRevision.pick({
    source_revision_id: true,
    final_url: true,
    title: true,
    language: true,
    retrieved_time: true,
  }),
});
export type EvidenceView = z.infer<typeof EvidenceView>;

/** How the roles of a task worked: with what each run was made, what it was shown, what of its proposals was refused and why. */
export const RoleRunList = z.object({ role_runs: z.array(RoleRunRecord) });
export type RoleRunList = z.infer<typeof RoleRunList>;
