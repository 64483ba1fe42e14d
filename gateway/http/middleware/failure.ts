import type Koa from 'koa';
import { failure, PlatformError, type Failure, type FailureCode } from '#contracts/errors.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import { presentProblem } from '../problem.ts';

/** The only place where a failure gets an HTTP status. A code that is missing here does not compile. */
const STATUS: Record<FailureCode, number> = {
  'request.invalid': 400,
  'request.too_large': 413,
  'request.precondition_failed': 412,
  'request.precondition_required': 428,
  'request.conflict': 409,
  'request.unauthenticated': 401,
  'request.forbidden': 403,
  'request.rate_limited': 429,
  'resource.not_found': 404,
  'resource.gone': 410,
  'actor.unknown_kind': 404,
  'actor.not_found': 404,
  'actor.done': 409,
  'actor.ignored': 409,
  'actor.forbidden_event': 403,
  'actor.mailbox_full': 503,
  'actor.snapshot_too_large': 507,
  'actor.output_too_large': 507,
  'actor.poisoned': 500,
  'actor.needs_migration': 503,
  'actor.defect': 500,
  'commit.lost_lease': 503,
  'commit.stale_sequence': 503,
  'commit.fence_moved': 409,
  'commit.unknown': 503,
  'effect.failed': 502,
  'effect.output_too_large': 502,
  'effect.timeout': 504,
  'effect.aborted': 503,
  'effect.unknown': 502,
  'effect.stale': 409,
  'store.unavailable': 503,
  'search.unavailable': 503,
  'search.request_failed': 502,
  'search.response_invalid': 502,
  'search.aborted': 503,
  'browser.unavailable': 503,
  'browser.navigation_failed': 502,
  'browser.timeout': 504,
  'browser.crashed': 502,
  'browser.egress_refused': 403,
  'browser.not_dispatched': 503,
  'page.blocked': 502,
  'page.empty': 502,
  'page.unreadable': 422,
  'page.too_large': 422,
  'library.unreadable': 422,
  'library.not_approved': 404,
  'blob.unavailable': 500,
  'spec.invalid': 422,
  'plan.empty': 422,
  'evidence.not_verbatim': 422,
  'evidence.insufficient': 422,
  'mode.not_available': 501,
  'model.not_configured': 501,
  'model.unavailable': 503,
  'model.overloaded': 503,
  'model.rate_limited': 503,
  'model.refused': 422,
  'model.truncated': 502,
  'model.context_overflow': 422,
  'model.response_invalid': 502,
  'model.aborted': 503,
  'model.timeout': 504,
  'model.unauthenticated': 502,
  'budget.refused': 402,
  'package.invalid': 422,
  'config.invalid': 500,
  'platform.unsupported': 501,
};

export const statusOf = (code: FailureCode): number => STATUS[code];

/** What a stranger may know of a defect. */
export const DEFECT = failure('actor.defect', 'something failed inside the server; its log says what');

/** Turns what was thrown into a problem document, and an empty 404 or 405 too. Defects are logged, never shown. */
export function answerFailures(logger: Logger): Koa.Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && (ctx.body === null || ctx.body === undefined))
        writeProblem(ctx, failure('resource.not_found', 'nothing is here'));
      if (ctx.status === 405) writeProblem(ctx, failure('request.invalid', `${ctx.method} is not possible here`), 405);
    } catch (thrown) {
      const known = knownFailure(thrown);
      if (known === null || STATUS[known.code] === 500) {
        logger.error('a request failed', { err: thrown, method: ctx.method, path: ctx.path });
      }
      writeProblem(ctx, known ?? DEFECT);
    }
  };
}

/** A failure made on purpose, or a client error of the HTTP library (a malformed path, say); null for a defect. */
function knownFailure(thrown: unknown): Failure | null {
  if (thrown instanceof PlatformError) return thrown.failure;
  if (!(thrown instanceof Error) || !('status' in thrown) || typeof thrown.status !== 'number') return null;
  return thrown.status >= 400 && thrown.status < 500 ? failure('request.invalid', thrown.message) : null;
}

function writeProblem(ctx: Koa.Context, reason: Failure, status = STATUS[reason.code]): void {
  ctx.status = status;
  ctx.body = JSON.stringify(presentProblem(reason, status, ctx.path));
  ctx.set('Content-Type', 'application/problem+json; charset=utf-8');
  ctx.set('Cache-Control', 'no-store');
  if (reason.retry.kind === 'after') ctx.set('Retry-After', String(Math.ceil(reason.retry.ms / 1000)));
  if (reason.retry.kind === 'backoff') ctx.set('Retry-After', '1');
  if (status === 401) ctx.set('WWW-Authenticate', 'Bearer');
  // The rest of a body that was refused half-way is not read: the connection cannot be used again.
  if (status === 413) ctx.set('Connection', 'close');
}
