import { createHash } from 'node:crypto';
import { canonicalJson } from '#contracts/canonical-json.ts';
import { fail } from '#contracts/errors.ts';
import type { Json } from '#contracts/json.ts';
import type { BlobStore } from '#contracts/ports/blob-store.ts';
import type { ResearchReads } from '#contracts/ports/reads.ts';
import type { PackageFile } from '#contracts/research/package.ts';
import { defineEffect } from '#runtime/core/authoring.ts';
import type { ArtifactState, Sealed } from './contract.ts';
import { buildManifest, buildPackageFiles } from './package-files.ts';
import { verifyPackage } from './verify-package.ts';

export type ArtifactPorts = { readonly research: ResearchReads; readonly blobs: BlobStore };

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const artifactEffects = {
  sealPackage: defineEffect<ArtifactState, Sealed, ArtifactPorts>({
    class: 'idempotent',
    timeoutMs: 60_000,
    run: async (state, { ports, project, nowMs }) => {
      const [answer, evidence, assertions, sources] = await Promise.all([
        ports.research.answerOfTask(project, state.task_id),
        ports.research.evidenceOfTask(project, state.task_id),
        ports.research.assertionsOfTask(project, state.task_id),
        ports.research.sourcesOfTask(project, state.task_id),
      ]);
      if (answer === null || answer.citations.length === 0) {
        fail('package.invalid', 'an answer without a single cited statement is not sealed');
      }
      const sealedTime = new Date(nowMs()).toISOString();
      const contents = buildPackageFiles({ state, answer, evidence, assertions, sources, sealedTime });
      const files: PackageFile[] = [];
      for (const { name, mediaType, bytes } of contents) {
        files.push({ name, media_type: mediaType, sha256: await ports.blobs.put(bytes), bytes: bytes.byteLength });
      }
      const manifest = buildManifest({ state, answer, evidence, assertions, sources, sealedTime }, files);
      const manifestBytes = new TextEncoder().encode(canonicalJson(manifest as Json));
      const problems = verifyPackage(
        new Map([...contents.map(({ name, bytes }) => [name, bytes] as const), ['manifest.json', manifestBytes]]),
        sha256,
      );
      if (problems.length > 0) fail('package.invalid', problems.slice(0, 5).join('; '));
      const manifestSha256 = await ports.blobs.put(manifestBytes);
      const manifestFile = {
        name: 'manifest.json',
        media_type: 'application/json',
        sha256: manifestSha256,
        bytes: manifestBytes.byteLength,
      };
      return { manifest_sha256: manifestSha256, files: [...files, manifestFile], sealed_time: sealedTime };
    },
  }),
};
