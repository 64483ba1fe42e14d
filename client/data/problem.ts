import type { FailureCode } from '#contracts/errors.ts';
import type { Problem } from '#contracts/http/system.ts';

/** `network.unreachable` is the client's own: nothing answered, so nothing is known. */
export type ProblemCode = FailureCode | 'network.unreachable';

/** The only error that `data/api.ts` throws. `status` is 0 when nothing answered. */
export class ApiProblem extends Error {
  readonly code: string;
  readonly status: number;
  readonly detail: string;

  constructor(code: string, status: number, detail: string) {
    super(`${code}: ${detail}`);
    this.name = 'ApiProblem';
    this.code = code;
    this.status = status;
    this.detail = detail;
  }
}

/** May the same request, with the same id, be sent again without a person looking at it? */
export const isTransient = (problem: ApiProblem): boolean =>
  problem.status === 0 || problem.status === 408 || problem.status === 429 || problem.status >= 500;

export const isSignedOut = (problem: unknown): boolean => problem instanceof ApiProblem && problem.status === 401;

export const toProblem = (thrown: unknown): ApiProblem =>
  thrown instanceof ApiProblem
    ? thrown
    : new ApiProblem('network.unreachable', 0, thrown instanceof Error ? thrown.message : String(thrown));

/** Reads an RFC 9457 body; a body that is none still becomes a problem with the HTTP status. */
export function problemFromBody(status: number, body: unknown): ApiProblem {
  const candidate = (typeof body === 'object' && body !== null ? body : {}) as Partial<Problem>;
  const code = typeof candidate.code === 'string' ? candidate.code : `http.${status}`;
  const detail = typeof candidate.detail === 'string' ? candidate.detail : (candidate.title ?? '');
  return new ApiProblem(code, status, detail);
}
