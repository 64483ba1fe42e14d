import type { FailureCode } from '#contracts/errors.ts';

/** What ends by itself: the same call under the same contract may go well later. */
const PASSING: readonly string[] = [
  'model.overloaded',
  'model.rate_limited',
  'model.unavailable',
  'model.timeout',
  'store.unavailable',
] satisfies FailureCode[];

export const isPassing = (code: string): boolean => PASSING.includes(code);
