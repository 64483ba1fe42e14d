import { LEDGER_ADDRESS } from '#contracts/actors/ledger.ts';
import type { Engine } from '#contracts/research/engine.ts';
import { originAt } from '#contracts/research/spec-origins.ts';
import type { TaskSpec } from '#contracts/research/task-spec.ts';
import type { MailOf, TaskState } from './contract.ts';
import { Decision, taskAddress } from './decision.ts';

const costsMoney = (engine: Engine): boolean => engine.kind === 'model';

/** BU-01: the account is open before the first call; opened again it has the limit of the frozen contract. */
export function openAccount(decision: Decision, engine: Engine, spec: TaskSpec | null): Decision {
  if (!costsMoney(engine)) return decision;
  const { state } = decision;
  const settings = state.surroundings?.settings;
  const budget = spec?.budget ?? settings;
  const unknown_price_policy = budget?.unknown_price_policy ?? 'block';
  const cap_minor = budget?.cap_minor ?? '0';
  decision.spawnFree('ledger', 'main', {});
  return decision.send(LEDGER_ADDRESS, {
    type: 'ledger.open_task',
    task_id: state.task_id,
    reply_to: taskAddress(state),
    currency: budget?.currency ?? 'USD',
    cap_minor,
    unknown_price_policy,
    // A call of unknown price may hold what the person approved for all of it, never more.
    upper_bound_minor: unknown_price_policy === 'approved_upper_bound' ? cap_minor : null,
  });
}

/** TK-05: nothing new is reserved, what is in flight is cancelled, what was sent is settled all the same. */
export function closeAccount(decision: Decision): Decision {
  const engine = decision.state.engine ?? decision.state.surroundings?.engine;
  if (engine === undefined || !costsMoney(engine)) return decision;
  return decision.send(LEDGER_ADDRESS, { type: 'ledger.close_task', task_id: decision.state.task_id }, 'operator');
}

/** The task's own numbers follow the ledger's; its event is published as it is. */
export function followAccount(state: TaskState, event: MailOf<'budget.changed'>): Decision {
  const { totals } = event;
  const { currency, settled_minor, unknown_calls, reserved_minor, held_unknown_minor, cap_minor } = totals;
  return new Decision(state, event)
    .set({
      budget: totals,
      cost: { currency, settled_minor, unknown_calls, reserved_minor, held_unknown_minor, cap_minor },
    })
    .publish(event.event_type, event.data);
}

/** T30: from here on money is kept for the write-up. */
export const isShortOfMoney = ({ budget, exhausted }: TaskState): boolean =>
  exhausted || budget?.at_85_percent === true;

/** Whether a person has set the limit, for the words of the gap. */
export const isOwnLimit = ({ origins }: TaskState): boolean => originAt(origins ?? {}, '/budget/cap_minor') === 'user';
