import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { fail } from '#contracts/errors.ts';
import type { ArtifactView } from '#contracts/http/research.ts';
import type { BlobStore } from '#contracts/ports/blob-store.ts';
import { contentDisposition } from './content-disposition.ts';
import { ANSWERED, type GatewayContext } from './route.ts';

type Artifact = z.infer<typeof ArtifactView>;

/** A file of a package is somebody else's words: it is shown in a sandbox without scripts, plugins, forms or network. */
const FILE_POLICY =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** Sends one file of a sealed result. The name is looked up in the result's list, never used as a path. */
export async function answerArtifactFile(
  blobs: BlobStore,
  ctx: GatewayContext,
  wanted: { readonly artifact: Artifact; readonly name: string; readonly disposition: 'attachment' | 'inline' },
) {
  const { artifact, name, disposition } = wanted;
  const sha256 = hashOfFile(artifact, name);
  if (sha256 === null) return fail('resource.not_found', 'this result has no such file');
  ctx.set('ETag', `"${sha256}"`);
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.set('Content-Type', MEDIA_TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
  ctx.set('Content-Disposition', contentDisposition(disposition, name, `${artifact.title} - ${name}`));
  ctx.set('Content-Security-Policy', FILE_POLICY);
  ctx.set('X-Frame-Options', 'SAMEORIGIN');
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return ANSWERED;
  }
  ctx.body = await readWhole(blobs, sha256, name);
  return ANSWERED;
}

/** The manifest names every other file; its own hash stands in the result. */
function hashOfFile(artifact: Artifact, name: string): string | null {
  const listed = artifact.files.find((file) => file.name === name);
  if (listed !== undefined) return listed.sha256;
  return name === 'manifest.json' ? artifact.manifest_sha256 : null;
}

async function readWhole(blobs: BlobStore, sha256: string, name: string): Promise<Buffer> {
  const bytes = await blobs.get(sha256);
  if (bytes === null) return fail('blob.unavailable', `the bytes of ${name} are missing`);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    fail('blob.unavailable', `the bytes of ${name} are damaged: they no longer have the hash ${sha256}`);
  }
  return Buffer.from(bytes);
}
