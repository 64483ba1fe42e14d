import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HealthCheck } from '#contracts/ports/browser-health.ts';

const MIN_FREE_BYTES = 256 * 1024 ** 2;
const MIB = 1024 ** 2;

function tryFolder(folder: string): number {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `check-${randomBytes(6).toString('hex')}`);
  const word = randomBytes(16).toString('hex');
  try {
    writeFileSync(path, word, { flush: true });
    if (readFileSync(path, 'utf8') !== word) throw new RangeError(`${folder} does not keep what is written`);
  } finally {
    rmSync(path, { force: true });
  }
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Can the browser's folders be written and read, and is there room? Profiles go to the temporary folder. */
export function checkStorage(folder: string): HealthCheck {
  try {
    const free = Math.min(tryFolder(folder), tryFolder(tmpdir()));
    return { name: 'storage', ok: free >= MIN_FREE_BYTES, detail: `${Math.round(free / MIB)} MiB of room left` };
  } catch (error) {
    return { name: 'storage', ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
