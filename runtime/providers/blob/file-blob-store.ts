// Blobs in a private folder: `<folder>/<first two hex digits>/<sha256>`.
//
//   BB1  A blob appears under its name whole or not at all: temporary file, fsync, rename.
//   BB2  Bytes that do not hash to their name are never handed out.

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail, PlatformError } from '#contracts/errors.ts';
import type { BlobStore } from '#contracts/ports/blob-store.ts';

const NAME = /^[0-9a-f]{64}$/;
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

export function createFileBlobStore(folder: string): BlobStore {
  const pathOf = (name: string): string => {
    if (!NAME.test(name)) fail('request.invalid', 'a blob is named by 64 hexadecimal digits');
    return join(folder, name.slice(0, 2), name);
  };

  const get = async (name: string): Promise<Uint8Array | null> => {
    const bytes = await readOrNull(pathOf(name));
    if (bytes !== null && hash(bytes) !== name) fail('blob.unavailable', `blob ${name} is damaged on disk`);
    return bytes;
  };

  return {
    get,
    put: async (bytes) => {
      const name = hash(bytes);
      const path = pathOf(name);
      if (!(await isWhole(path, bytes.byteLength))) await writeAtomically(path, bytes);
      return name;
    },
    verify: async (name) => {
      if ((await get(name)) === null) fail('blob.unavailable', `blob ${name} is missing`);
    },
  };
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function isWhole(path: string, bytes: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.size === bytes;
}

async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
    const file = await open(temporary, 'wx', PRIVATE_FILE);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    fail('blob.unavailable', `a result file could not be stored: ${messageOf(cause)}`, {
      retry: { kind: 'backoff' },
      cause,
    });
  }
}

async function readOrNull(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    if (cause instanceof PlatformError) throw cause;
    return fail('blob.unavailable', `a result file could not be read: ${messageOf(cause)}`, { cause });
  }
}

/** The system's own word without the path, which is nobody's business outside. */
const messageOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
