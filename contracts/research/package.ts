import * as z from 'zod';
import { ArtifactId, Sha256, TaskId, Timestamp } from '../ids.ts';
import { Answer } from './answer.ts';
import { EngineProfile } from './engine.ts';
import { Assertion, Evidence } from './evidence.ts';
import { SourceRevision } from './source.ts';

/**
 * A sealed package: `report.md`, `report.html`, `evidence.json`, `sources.json`, `manifest.json`.
 * The manifest names every other file with its SHA-256 and size; the package id is the SHA-256 of the manifest's canonical JSON.
 * Sealed means immutable; a new result is a new revision. Anyone can re-check it offline: `npm run cli -- verify`.
 */
export const PackageFile = z.object({
  name: z.string().regex(/^[a-z][a-z0-9-]*\.(md|html|json)$/),
  media_type: z.string(),
  sha256: Sha256,
  bytes: z.int().nonnegative(),
});
export type PackageFile = z.infer<typeof PackageFile>;

export const PackageManifest = z.strictObject({
  format: z.literal('yunsou-package/1'),
  artifact_id: ArtifactId,
  revision: z.int().positive(),
  task_id: TaskId,
  sealed_time: Timestamp,
  question: z.string(),
  language: z.string(),
  engine: z.string(),
  /** The model that proposed; absent when none had a part in it. */
  engine_profile: EngineProfile.optional(),
  plan_hash: Sha256,
  task_status: z.string(),
  report_status: z.enum(['draft', 'ready', 'exported']),
  review_status: z.enum([
    'unreviewed',
    'machine_checked',
    'pending_review',
    'needs_revision',
    'approved',
    'rejected',
    'legacy_pending_verification',
  ]),
  counts: z.object({ sources: z.int(), evidence: z.int(), assertions: z.int(), gaps: z.int() }),
  files: z.array(PackageFile).min(1),
});
export type PackageManifest = z.infer<typeof PackageManifest>;

export const EvidenceFile = z.strictObject({
  format: z.literal('yunsou-evidence/1'),
  answer: Answer,
  evidence: z.array(Evidence),
  assertions: z.array(Assertion),
});
export type EvidenceFile = z.infer<typeof EvidenceFile>;

/** Full text of each source as read, so that quotes can be checked at their offsets without the network. */
export const SourcesFile = z.strictObject({ format: z.literal('yunsou-sources/1'), sources: z.array(SourceRevision) });
export type SourcesFile = z.infer<typeof SourcesFile>;
