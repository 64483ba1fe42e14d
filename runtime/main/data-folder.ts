import { access, constants, mkdir, writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '#contracts/errors.ts';

/** Makes the folder and tries to write in it. Its sub-folders of keys and results are private to the owner. */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.probe-${process.pid}`);
  try {
    // The database server may run as another user, so the folder itself must be enterable.
    await mkdir(dataDir, { recursive: true, mode: 0o755 });
    await access(dataDir, constants.W_OK | constants.X_OK);
    await writeFile(probe, '');
    await rm(probe);
    await mkdir(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
    await mkdir(join(dataDir, 'blobs'), { recursive: true, mode: 0o700 });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
    fail(
      'config.invalid',
      `the data folder ${dataDir} cannot be written (${code}); choose another with YUNSOU_DATA_DIR`,
      { cause },
    );
  }
}
