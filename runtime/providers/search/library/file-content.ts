import { createHash } from 'node:crypto';
import { open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { fail } from '#contracts/errors.ts';
import { isInside } from './file-walk.ts';

export const MAX_FILE_BYTES = 20 * 1024 * 1024;

const decompress = promisify(gunzip);

/**
 * Bytes of a file below `root` (a real path). The file is opened once and everything is asked of the open file, so a swap in between
 * changes nothing. Throws `page.unreadable`, `page.too_large`, and `library.not_approved` for a path that leaves the root.
 */
export async function readFileBelow(root: string, path: string): Promise<Uint8Array> {
  const full = await realpath(join(root, path)).catch((cause: unknown) =>
    fail('page.unreadable', 'The file does not exist or cannot be read.', { cause }),
  );
  if (!isInside(root, full)) return fail('library.not_approved', 'The file lies outside the approved folder.');
  const file = await open(full, 'r').catch((cause: unknown) =>
    fail('page.unreadable', 'The file cannot be opened for reading.', { cause }),
  );
  try {
    const { size } = await file
      .stat()
      .then((found) => (found.isFile() ? found : fail('page.unreadable', 'It is no file.')));
    if (size > MAX_FILE_BYTES) return fail('page.too_large', tooLarge(size));
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Undoes gzip; a bomb stops at the size limit. */
export async function unzipped(bytes: Uint8Array): Promise<Uint8Array> {
  return decompress(bytes, { maxOutputLength: MAX_FILE_BYTES }).catch((cause: unknown) => {
    const isTooLarge =
      cause instanceof RangeError ||
      (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE');
    return isTooLarge
      ? fail('page.too_large', `Unpacked, the file is larger than ${MAX_FILE_BYTES} bytes.`, { cause })
      : fail('page.unreadable', 'The file is named .gz but is no gzip file.', { cause });
  });
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function tooLarge(size: number): string {
  return `The file has ${size} bytes; at most ${MAX_FILE_BYTES} are read.`;
}
