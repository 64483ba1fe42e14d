import { failure, PlatformError, type Failure } from '#contracts/errors.ts';

/**
 * Waits for `work` at most `ms`, and no longer than `signal` allows. The work itself goes on; `onLate` may end it.
 * Page calls of the browser have no time limit of their own and hang for ever on a busy page.
 */
export async function withDeadline<T>(work: Promise<T>, ms: number, late: Failure, signal?: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  work.catch(() => undefined);
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PlatformError(late)), ms);
    abort = () => reject(new PlatformError(failure('effect.aborted', 'The work was called off.')));
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    if (abort !== undefined) signal?.removeEventListener('abort', abort);
  }
}
