import type { Failure, FailureCode } from '#contracts/errors.ts';
import { hash32 } from '#contracts/hash.ts';
import { send, type Request } from '#runtime/core/requests.ts';
import type { WorkItemState } from './contract.ts';

/** The first try included. */
const MAX_TRIES = 3;
const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 60_000;

/** Failures that another try under the same conditions cannot mend, whatever their `retry` says. */
const LASTING = new Set<FailureCode>(['search.unavailable', 'search.response_invalid', 'page.blocked', 'page.empty']);

export const isPassing = (reason: Failure): boolean => reason.retry.kind !== 'never' && !LASTING.has(reason.code);

/** PL-04: doubles with each try, half of it by chance, never less than the far end asked for. Chance is drawn from the id, so a repeated step draws the same. */
export function waitOf(state: WorkItemState, reason: Failure): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** state.retries);
  const chance = hash32(`${state.work_item_id} ${state.retries}`) / 2 ** 32;
  const wait = Math.round(full / 2 + (full / 2) * chance);
  return reason.retry.kind === 'after' ? Math.max(wait, reason.retry.ms) : wait;
}

/** Inside the tries, the longest wait and the time that the task has left. */
export function mayRetry(state: WorkItemState, reason: Failure | null, at: string): boolean {
  if (reason === null || state.pause_requested || !isPassing(reason) || state.retries + 1 >= MAX_TRIES) return false;
  const wait = waitOf(state, reason);
  if (wait > LONGEST_WAIT_MS) return false;
  const deadline = state.deadline_time ?? null;
  return deadline === null || Date.parse(at) + wait < Date.parse(deadline);
}

export function beginWait(state: WorkItemState, reason: Failure, at: string): Partial<WorkItemState> {
  const delay_ms = waitOf(state, reason);
  const retry_time = new Date(Date.parse(at) + delay_ms).toISOString();
  // Another try is a new context: nothing of the old one is restored (TK-07).
  return {
    retries: state.retries + 1,
    wait: { failure: reason, delay_ms, retry_time },
    observation: null,
    session_id: null,
  };
}

export function reportWaiting(state: WorkItemState): Request[] {
  const { wait, work_item_id, retries, reply_to } = state;
  if (wait === null) return [];
  const { retry_time, failure } = wait;
  return [
    send(reply_to as never, {
      type: 'work.waiting',
      work_item_id,
      attempt: retries,
      retry_time,
      reason: failure.message,
    }),
  ];
}

export function reportRetrying(state: WorkItemState): Request[] {
  const { work_item_id, retries, reply_to } = state;
  return [send(reply_to as never, { type: 'work.retrying', work_item_id, attempt: retries + 1 })];
}
