import { fail } from '#contracts/errors.ts';
import type { LibraryPort } from '#contracts/ports/library.ts';

/** Approves the folder named by `YUNSOU_LIBRARY` or `--library`. A wrong path is a wrong setting: nothing is left half started. */
export async function approveConfigured(library: LibraryPort, folder: string | null): Promise<void> {
  if (folder === null) return;
  try {
    await library.approve(folder);
  } catch (cause) {
    fail('config.invalid', `YUNSOU_LIBRARY is not usable: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
