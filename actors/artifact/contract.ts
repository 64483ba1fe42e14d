import * as z from 'zod';
import { ArtifactInput } from '#contracts/actors/artifact.ts';
import { Failure } from '#contracts/errors.ts';
import { Sha256 } from '#contracts/ids.ts';
import { PackageFile } from '#contracts/research/package.ts';

export const Sealed = z.object({ manifest_sha256: Sha256, files: z.array(PackageFile), sealed_time: z.string() });
export type Sealed = z.infer<typeof Sealed>;

export const ArtifactState = ArtifactInput.extend({
  revision: z.int().positive(),
  sealed: Sealed.nullable(),
  problem: Failure.nullable(),
});
export type ArtifactState = z.infer<typeof ArtifactState>;

export const ArtifactMail = z.object({ type: z.literal('child.fenced'), address: z.string() });
