import type { Clock } from '#contracts/ports/clock.ts';

/**
 * Asks once for all callers that come while the answer is under way or younger than `maxAgeMs`: an expensive question
 * (starting a browser, say) cannot be used to keep the machine busy.
 */
export function shareAnswer<T>(clock: Clock, maxAgeMs: number, ask: () => Promise<T>): () => Promise<T> {
  let shared: { readonly promise: Promise<T>; answeredAtMs: number | null } | null = null;
  return () => {
    const isFresh = shared !== null && (shared.answeredAtMs === null || clock.nowMs() - shared.answeredAtMs < maxAgeMs);
    if (shared !== null && isFresh) return shared.promise;
    const mine = { promise: ask(), answeredAtMs: null as number | null };
    shared = mine;
    mine.promise.then(
      () => (mine.answeredAtMs = clock.nowMs()),
      () => (shared = shared === mine ? null : shared),
    );
    return mine.promise;
  };
}
