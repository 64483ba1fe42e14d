import { failure, type Failure, type Retry } from '#contracts/errors.ts';

const MAX_WAIT_MS = 600_000;
const BACKOFF = { kind: 'backoff' } as const;

export type RefusedAnswer = {
  readonly provider: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly nowMs: number;
};

/** What an HTTP status says about repeating. The vendor's own text stays out: it may echo a key. */
export function failureOfStatus({ provider, status, retryAfter, nowMs }: RefusedAnswer): Failure {
  const told = `${provider} answered with status ${status}`;
  if (status === 401 || status === 403) return failure('search.unavailable', `${told}: the credential is refused.`);
  if (status === 402) return failure('search.unavailable', `${told}: the account has no credit.`);
  if (status === 404) return failure('search.unavailable', `${told}: there is no such address or model.`);
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return failure('search.request_failed', `${told}.`, { retry: waitOf(retryAfter, nowMs) });
  }
  return failure('search.request_failed', `${told}: the request is not understood.`);
}

/** `Retry-After`: seconds or a date. */
function waitOf(header: string | null, nowMs: number): Retry {
  if (header === null || header.trim() === '') return BACKOFF;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs;
  if (!Number.isFinite(ms)) return BACKOFF;
  return { kind: 'after', ms: Math.round(Math.min(Math.max(ms, 0), MAX_WAIT_MS)) };
}

/** Statuses on which vendors charge nothing: the request was turned away before any work. */
export const isTurnedAway = (status: number): boolean => status >= 400 && status < 500 && status !== 408;
