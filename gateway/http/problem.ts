import type * as z from 'zod';
import type { Problem as ProblemSchema } from '#contracts/http/system.ts';
import type { Failure, FailureCode } from '#contracts/errors.ts';

type Problem = z.infer<typeof ProblemSchema>;

const TITLES: Partial<Record<FailureCode, string>> = {
  'request.invalid': 'The request is not valid',
  'request.too_large': 'The request is too large',
  'request.precondition_failed': 'Somebody changed it meanwhile',
  'request.precondition_required': 'A precondition is required',
  'request.conflict': 'This id was used for another request',
  'request.unauthenticated': 'Not signed in',
  'request.forbidden': 'Not allowed',
  'request.rate_limited': 'Too many at once',
  'resource.not_found': 'Not found',
  'resource.gone': 'No longer there',
  'actor.ignored': 'Not possible in the present state',
  'actor.done': 'Already ended',
  'actor.mailbox_full': 'Too much waiting',
  'mode.not_available': 'Not in this version',
  'store.unavailable': 'The database does not answer',
  'library.unreadable': 'Not a readable folder',
};

/** A failure as an RFC 9457 document. `status` is decided by the caller: only HTTP knows it. */
export function presentProblem(failure: Failure, status: number, instance?: string): Problem {
  const { errors, ...details } = failure.details ?? {};
  return {
    type: `urn:yunsou:problem:${failure.code}`,
    title: TITLES[failure.code] ?? 'It did not work',
    status,
    detail: failure.message,
    code: failure.code,
    ...(instance === undefined ? {} : { instance }),
    ...(failure.retry.kind === 'after' ? { retry_after_ms: failure.retry.ms } : {}),
    ...(Array.isArray(errors) ? { errors: errors as NonNullable<Problem['errors']> } : {}),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
}
