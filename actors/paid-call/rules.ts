import { LEDGER_ADDRESS, type BudgetAnswer, type ReserveBudget } from '#contracts/actors/ledger.ts';
import { limiterAddress, type PermitReport } from '#contracts/actors/limiter.ts';
import { paidCallAddress, type PaidReport } from '#contracts/actors/paid-call.ts';
import type { ActorAddress, ActorEvent } from '#contracts/envelope.ts';
import type { Failure } from '#contracts/errors.ts';
import { send, spawn, type Request } from '#runtime/core/requests.ts';
import type { CallEnd, PaidCallState } from './contract.ts';

/** A permit outlives the call by this much, so that it never comes back while the call runs. */
const SPARE_MS = 60_000;

const tell = ({ reply_to }: PaidCallState, report: PaidReport): Request => send(reply_to as ActorAddress, report);
const toLedger = (event: ActorEvent): Request => send(LEDGER_ADDRESS, event);
const reservationOf = ({ task_id, paid_call_id }: PaidCallState) => ({ task_id, reservation_id: paid_call_id });

export function askPermit(state: PaidCallState): Request[] {
  const { limiter, paid_call_id, call } = state;
  if (limiter === null) return [];
  const { resource, limits, party, wait_ms, tokens = 0 } = limiter;
  const address = limiterAddress(resource);
  const id = address.slice('limiter/'.length);
  const ask = {
    type: 'permit.ask',
    permit_id: paid_call_id,
    party,
    reply_to: paidCallAddress(paid_call_id),
    hold_ms: call.timeout_ms + SPARE_MS,
    tokens,
    wait_ms,
    limits,
  };
  return [spawn('limiter', id, { resource, ...limits }, { fence: null }), send(address, ask)];
}

/** The ledger of a project comes with its first reservation. */
export function askBudget(state: PaidCallState): Request[] {
  const { reserve, paid_call_id, task_id, role, purpose } = state;
  if (reserve === null) return [];
  const event: ReserveBudget = {
    type: 'ledger.reserve',
    reservation_id: paid_call_id,
    task_id,
    role,
    purpose,
    reply_to: paidCallAddress(paid_call_id),
    ...reserve,
  };
  return [spawn('ledger', 'main', {}, { fence: null }), toLedger(event)];
}

/** What was granted goes back, what was only asked for is taken back; both are read after what asked for them. */
export function giveBackPermit({ limiter, paid_call_id }: PaidCallState): Request[] {
  if (limiter === null) return [];
  return [send(limiterAddress(limiter.resource), { type: 'permit.return', permit_id: paid_call_id })];
}

export function release(state: PaidCallState): Request[] {
  return state.reserve === null ? [] : [toLedger({ type: 'ledger.release', ...reservationOf(state) })];
}

export function refusePermit(
  state: PaidCallState,
  event: Extract<PermitReport, { type: 'permit.refused' }>,
): Request[] {
  const message = `no turn for ${state.limiter?.resource ?? 'it'}: ${event.reason}`;
  return [refused(state, event.reason, message)];
}

export function refuseBudget(
  state: PaidCallState,
  event: Extract<BudgetAnswer, { type: 'budget.refused' }>,
): Request[] {
  return [...giveBackPermit(state), refused(state, event.reason, event.message)];
}

export function refuseCancelled(state: PaidCallState): Request[] {
  return [...giveBackPermit(state), refused(state, 'cancelled', 'it was stopped before it was sent')];
}

function refused(
  state: PaidCallState,
  reason: Extract<PaidReport, { type: 'paid.refused' }>['reason'],
  message: string,
) {
  return tell(state, { type: 'paid.refused', paid_call_id: state.paid_call_id, reason, message });
}

/** The account first, then whoever asked: it may be gone, the money is not. */
export function settle(state: PaidCallState, end: CallEnd): Request[] {
  const { paid_call_id } = state;
  const { cost, usage } = end;
  const money =
    cost === null
      ? release(state)
      : state.reserve === null
        ? []
        : [toLedger({ type: 'ledger.settle', ...reservationOf(state), cost })];
  const report: PaidReport =
    end.ended === 'answered'
      ? { type: 'paid.finished', paid_call_id, cost, usage, result: end.result }
      : { type: 'paid.failed', paid_call_id, cost, usage, failure: end.failure };
  return [...money, ...giveBackPermit(state), tell(state, report)];
}

/** The runtime says how it ended, because the call itself could not. */
export function settleBlind(state: PaidCallState, failure: Failure): Request[] {
  const { paid_call_id, reserve } = state;
  // The one failure that the runtime gives to a call of this class only when it was not sent.
  const isUnsent = failure.code === 'effect.aborted';
  const unknown = { type: 'ledger.unknown', ...reservationOf(state), why: failure.message };
  const money = isUnsent ? release(state) : reserve === null ? [] : [toLedger(unknown)];
  const cost = isUnsent
    ? null
    : { currency: null, minor: '0', unknown: ['price' as const], price_version: reserve?.price_version ?? null };
  return [
    ...money,
    ...giveBackPermit(state),
    tell(state, { type: 'paid.failed', paid_call_id, cost, usage: null, failure }),
  ];
}
