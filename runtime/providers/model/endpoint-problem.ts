import type { EndpointError } from './endpoint-failure.ts';

/** Carries an endpoint's error from a protocol to the place where it gets its code. It never leaves this folder. */
export class EndpointProblem extends Error {
  readonly error: EndpointError;

  constructor(error: EndpointError) {
    super(error.kind);
    this.name = 'EndpointProblem';
    this.error = error;
  }
}

/** The stream ended although the answer had not. */
export const brokenStream = (): EndpointProblem =>
  new EndpointProblem({ kind: 'connection', status: null, words: [], message: '', header: () => null });

export const malformedAnswer = (): EndpointProblem =>
  new EndpointProblem({ kind: 'malformed', status: null, words: [], message: '', header: () => null });
