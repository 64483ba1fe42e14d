import type { ObservationSummary, ReadSummary } from '#contracts/actors/browser-context.ts';
import type { ActorAddress } from '#contracts/envelope.ts';
import type { Failure } from '#contracts/errors.ts';
import { send, type Request } from '#runtime/core/requests.ts';
import type * as z from 'zod';
import type { BrowserContextState, OpenInput } from './contract.ts';

export function openInput(state: BrowserContextState): OpenInput {
  return { session_id: state.session_id, task_id: state.task_id, owner: state.owner, locale: state.locale };
}

/** Failures after which nothing can have left us; everything else leaves the outcome open. */
const NOT_DISPATCHED = new Set<Failure['code']>([
  'browser.not_dispatched',
  'browser.unavailable',
  'browser.egress_refused',
]);

export function reportFailure(state: BrowserContextState, failure: Failure): Request[] {
  return [
    send(state.owner as ActorAddress, {
      type: 'context.failed',
      session_id: state.session_id,
      action_id: state.action?.action_id ?? null,
      outcome: NOT_DISPATCHED.has(failure.code) ? 'not_dispatched' : 'unknown',
      failure,
    }),
  ];
}

export function reportObserved(state: BrowserContextState, observation: z.infer<typeof ObservationSummary>): Request[] {
  return [
    send(state.owner as ActorAddress, {
      type: 'context.observed',
      session_id: state.session_id,
      action_id: state.action?.action_id ?? '',
      observation,
    }),
  ];
}

export function reportPage(state: BrowserContextState, page: z.infer<typeof ReadSummary>): Request[] {
  return [
    send(state.owner as ActorAddress, {
      type: 'context.page',
      session_id: state.session_id,
      action_id: state.action?.action_id ?? '',
      page,
    }),
  ];
}
