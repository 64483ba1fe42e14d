import * as z from 'zod';

/**
 * The closed list of error codes. `noun.condition`; a code is never renamed, only added.
 * Machines decide by `retry` and `code`, never by the text of a message.
 */
export const FailureCode = z.enum([
  // asking and storing
  'request.invalid',
  'request.too_large',
  'request.precondition_failed',
  'request.precondition_required',
  'request.conflict',
  'request.unauthenticated',
  'request.forbidden',
  'request.rate_limited',
  'resource.not_found',
  'resource.gone',
  // durable actors
  'actor.unknown_kind',
  'actor.not_found',
  'actor.done',
  'actor.ignored',
  'actor.forbidden_event',
  'actor.mailbox_full',
  'actor.snapshot_too_large',
  'actor.output_too_large',
  'actor.poisoned',
  'actor.needs_migration',
  'actor.defect',
  'commit.lost_lease',
  'commit.stale_sequence',
  'commit.fence_moved',
  'commit.unknown',
  'effect.failed',
  'effect.output_too_large',
  'effect.timeout',
  'effect.aborted',
  'effect.unknown',
  'effect.stale',
  // the world outside
  'store.unavailable',
  'search.unavailable',
  'search.request_failed',
  'search.response_invalid',
  'search.aborted',
  'browser.unavailable',
  'browser.navigation_failed',
  'browser.timeout',
  'browser.crashed',
  'browser.egress_refused',
  'browser.not_dispatched',
  'page.blocked',
  'page.empty',
  'page.unreadable',
  'page.too_large',
  'library.unreadable',
  'library.not_approved',
  'blob.unavailable',
  // research
  'spec.invalid',
  'plan.empty',
  'evidence.not_verbatim',
  'evidence.insufficient',
  'mode.not_available',
  'model.not_configured',
  'model.unavailable',
  'model.overloaded',
  'model.rate_limited',
  'model.refused',
  'model.truncated',
  'model.context_overflow',
  'model.response_invalid',
  'model.aborted',
  'model.timeout',
  'model.unauthenticated',
  'budget.refused',
  'package.invalid',
  // the process itself
  'config.invalid',
  'platform.unsupported',
]);
export type FailureCode = z.infer<typeof FailureCode>;

/** What the receiver may do about it. `after` carries the wait the far end asked for. */
export const Retry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('never') }),
  z.object({ kind: z.literal('backoff') }),
  z.object({ kind: z.literal('after'), ms: z.number().int().nonnegative() }),
]);
export type Retry = z.infer<typeof Retry>;

/** A failure is data: it can be stored, sent and shown. `message` says what was expected and found, never a secret. */
export const Failure = z.object({
  code: FailureCode,
  message: z.string().max(2000),
  retry: Retry,
  details: z.record(z.string(), z.json()).optional(),
});
export type Failure = z.infer<typeof Failure>;

type FailureOptions = { retry?: Retry; details?: Failure['details'] };

export function failure(code: FailureCode, message: string, options: FailureOptions = {}): Failure {
  return {
    code,
    message: message.slice(0, 2000),
    retry: options.retry ?? { kind: 'never' },
    ...(options.details === undefined ? {} : { details: options.details }),
  };
}

/** The only error class the platform throws on purpose; everything else that is thrown is a defect. */
export class PlatformError extends Error {
  readonly failure: Failure;

  constructor(reason: Failure, options?: { cause?: unknown }) {
    super(`${reason.code}: ${reason.message}`, options);
    this.name = 'PlatformError';
    this.failure = reason;
  }
}

export function fail(code: FailureCode, message: string, options: FailureOptions & { cause?: unknown } = {}): never {
  throw new PlatformError(failure(code, message, options), { cause: options.cause });
}

/** Turns anything thrown into a `Failure`, keeping a `PlatformError`'s own. */
export function toFailure(thrown: unknown, code: FailureCode = 'actor.defect'): Failure {
  if (thrown instanceof PlatformError) return thrown.failure;
  return failure(code, thrown instanceof Error ? thrown.message : String(thrown));
}
