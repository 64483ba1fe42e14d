import { WRITE_UP_SHARE, type BudgetChanged, type LedgerMail, type ReserveBudget } from '#contracts/actors/ledger.ts';
import type { ActorAddress } from '#contracts/envelope.ts';
import type { ModelCost } from '#contracts/research/model-cost.ts';
import { addMinor, maxMinor, subtractMinor } from '#contracts/research/minor.ts';
import type { MinorAmount } from '#contracts/research/money.ts';
import { judge } from './account.ts';
import type { Account, Hold, LedgerState, Settled } from './contract.ts';
import { Posting } from './posting.ts';

type MailOf<Type extends LedgerMail['type']> = Extract<LedgerMail, { type: Type }>;

export const newLedger = (): LedgerState => ({ project_cap: null, accounts: [], past: {}, entries: 0 });

const emptyAccount = { settled_minor: '0', by_role: {}, by_write_up: '0', holds: [], settled: {} };

/** A second opening is a new limit: what was spent stays spent, and the currency stays what it was. */
export function openTask(state: LedgerState, event: MailOf<'ledger.open_task'>): Posting {
  const posting = new Posting(state, event);
  const known = posting.account(event.task_id);
  const account: Account = {
    ...(known ?? emptyAccount),
    task_id: event.task_id,
    reply_to: event.reply_to,
    currency: known?.currency ?? event.currency,
    cap_minor: event.cap_minor,
    unknown_price_policy: event.unknown_price_policy,
    upper_bound_minor: event.upper_bound_minor,
    write_up_share: event.write_up_share ?? WRITE_UP_SHARE,
    role_caps: event.role_caps ?? {},
    open: true,
    exhausted: false,
  };
  posting.put(account);
  posting.enter(account, { kind: 'opened', minor: event.cap_minor });
  return posting;
}

export function reserve(state: LedgerState, event: MailOf<'ledger.reserve'>): Posting {
  const posting = new Posting(state, event);
  const account = posting.account(event.task_id);
  const known = account === undefined ? undefined : heldFor(account, event.reservation_id);
  if (account !== undefined && known !== undefined) return posting.grant(event, account, known);
  const judged = judge(state, account, event);
  if (account === undefined || 'refused' in judged) return refuse(posting, event, account, judged as Refused);
  const changed = { ...account, holds: [...account.holds, holdFor(event, judged.held)] };
  posting.put(changed);
  posting.enter(changed, { kind: 'reserved', ask: event, minor: judged.held });
  posting.grant(event, changed, judged.held);
  return posting.tellTask(changed, 'budget.reserved', { ...namesOf(event), kind: 'reserved', minor: judged.held });
}

type Refused = { readonly refused: Parameters<Posting['refuse']>[1]; readonly message: string };

function refuse(posting: Posting, ask: ReserveBudget, account: Account | undefined, judged: Refused): Posting {
  posting.enter(account ?? null, {
    kind: 'refused',
    ask,
    minor: ask.max_minor,
    note: `${judged.refused}: ${judged.message}`,
  });
  posting.refuse(ask, judged.refused, judged.message);
  const isShort = judged.refused === 'cap' || judged.refused === 'write_up_reserve' || judged.refused === 'project_cap';
  if (account === undefined || account.exhausted || !isShort || ask.purpose !== 'work') return posting;
  const exhausted = { ...account, exhausted: true };
  posting.put(exhausted);
  return posting.tellTask(exhausted, 'budget.settled', { ...namesOf(ask), kind: 'exhausted', reason: judged.refused });
}

/** The whole cost, or a lower bound of it, which leaves the hold. */
export function settle(state: LedgerState, event: MailOf<'ledger.settle'>): Posting {
  const posting = new Posting(state, event);
  const found = posting.hold(event);
  if (found === null) return posting;
  const { account, hold } = found;
  return isWhole(event.cost, account)
    ? close(posting, account, hold, event.cost)
    : leaveUnknown(posting, account, hold, { cost: event.cost, note: noteOf(event.cost, account) });
}

/** The vendor counted it, and nobody had asked for it here: it is spent all the same. */
export function record(state: LedgerState, event: MailOf<'ledger.record'>): Posting {
  const posting = new Posting(state, event);
  const { task_id, call_id, role, what, cost } = event;
  const account = posting.account(task_id) ?? accountFor(task_id, cost);
  if (heldFor(account, call_id) !== undefined) return posting;
  const ask = { reservation_id: call_id, role, purpose: 'work' as const, reply_to: '', what };
  const hold = { ...ask, price_version: cost.price_version, held_minor: '0', known_minor: '0', unknown: false };
  posting.put(account);
  return isWhole(cost, account)
    ? close(posting, account, hold, cost)
    : leaveUnknown(posting, { ...account, holds: [...account.holds, hold] }, hold, {
        cost,
        note: noteOf(cost, account),
      });
}

/** Nobody set a limit; the task hears of it like of any other change. */
const accountFor = (task_id: string, { currency }: ModelCost): Account => ({
  ...emptyAccount,
  task_id,
  reply_to: `task/${task_id}`,
  currency: currency ?? 'USD',
  cap_minor: null,
  unknown_price_policy: 'block',
  upper_bound_minor: null,
  write_up_share: WRITE_UP_SHARE,
  role_caps: {},
  open: true,
  exhausted: false,
});

export function release(state: LedgerState, event: MailOf<'ledger.release'>): Posting {
  const posting = new Posting(state, event);
  const found = posting.hold(event);
  // What was sent once is not unsent by anybody's word.
  if (found === null || found.hold.unknown) return posting;
  const { account, hold } = found;
  const changed = { ...account, holds: without(account.holds, hold) };
  posting.put(changed);
  posting.enter(changed, { kind: 'released', hold, minor: hold.held_minor });
  return posting.tellTask(changed, 'budget.settled', { ...namesOf(hold), kind: 'released', minor: hold.held_minor });
}

export function markUnknown(state: LedgerState, event: MailOf<'ledger.unknown'>): Posting {
  const posting = new Posting(state, event);
  const found = posting.hold(event);
  if (found === null || found.hold.unknown) return posting;
  return leaveUnknown(posting, found.account, found.hold, { cost: null, note: event.why });
}

export function adjust(state: LedgerState, event: MailOf<'ledger.adjust'>): Posting {
  const posting = new Posting(state, event);
  const account = posting.account(event.task_id);
  if (account === undefined || !isWhole(event.cost, account)) return posting.answerAdjusted(false);
  const hold = account.holds.find(({ reservation_id }) => reservation_id === event.reservation_id);
  if (hold !== undefined) return close(posting, account, hold, event.cost, event.by).answerAdjusted(true);
  const before = account.settled[event.reservation_id];
  if (before === undefined) return posting.answerAdjusted(false);
  const { minor, price_version, unknown } = event.cost;
  const without = spend(account, event.reservation_id, before, subtractMinor);
  const changed = spend(without, event.reservation_id, { ...before, minor }, addMinor);
  posting.put(changed);
  posting.enter(changed, {
    kind: 'adjusted',
    hold: { reservation_id: event.reservation_id, role: before.role, what: null, price_version },
    minor,
    unknown,
    note: event.by,
  });
  const data = { reservation_id: event.reservation_id, role: before.role, kind: 'adjusted', minor };
  return posting.tellTask(changed, 'budget.settled', data).answerAdjusted(true);
}

/** Holds stay until their calls say what they cost; whoever is still about to send is told not to. */
export function closeTask(state: LedgerState, event: MailOf<'ledger.close_task'>): Posting {
  const posting = new Posting(state, event);
  const account = posting.account(event.task_id);
  if (account === undefined || !account.open) return posting;
  const closed = { ...account, open: false };
  posting.put(closed);
  posting.enter(closed, { kind: 'closed', minor: null });
  for (const { reply_to, unknown } of account.holds) {
    if (!unknown) posting.send(reply_to as ActorAddress, { type: 'paid.cancel' }, 'operator');
  }
  return posting;
}

export function setProject(state: LedgerState, event: MailOf<'ledger.set_project'>): Posting {
  const posting = new Posting({ ...state, project_cap: event.cap }, event);
  posting.enter(null, {
    kind: 'project_cap',
    minor: event.cap?.cap_minor ?? null,
    currency: event.cap?.currency ?? null,
    note: event.by,
  });
  return posting;
}

function close(posting: Posting, account: Account, hold: Hold, cost: ModelCost, by?: string): Posting {
  const { role, purpose, reservation_id } = hold;
  const rest = { ...account, holds: without(account.holds, hold) };
  const changed = spend(rest, reservation_id, { minor: cost.minor, role, purpose }, addMinor);
  posting.put(changed);
  const kind = by === undefined ? 'settled' : 'adjusted';
  const priced = { ...hold, price_version: cost.price_version ?? hold.price_version };
  posting.enter(changed, { kind, hold: priced, minor: cost.minor, ...(by === undefined ? {} : { note: by }) });
  return posting.tellTask(changed, 'budget.settled', { ...namesOf(hold), kind, minor: cost.minor });
}

type Known = { readonly cost: ModelCost | null; readonly note: string };

function leaveUnknown(posting: Posting, account: Account, hold: Hold, { cost, note }: Known): Posting {
  const certain = cost !== null && cost.currency === account.currency ? cost.minor : '0';
  const left = { ...hold, unknown: true, known_minor: maxMinor(hold.known_minor, certain) };
  const holds = account.holds.map((one) => (one === hold ? left : one));
  const changed = { ...account, holds };
  posting.put(changed);
  posting.enter(changed, { kind: 'unknown', hold, minor: certain, unknown: cost?.unknown ?? [], note });
  return posting.tellTask(changed, 'budget.settled', { ...namesOf(hold), kind: 'unknown', at_least_minor: certain });
}

/** Whether this says in full what a call cost, in the money of the account. Nothing is nothing in every currency. */
function isWhole({ currency, minor, unknown }: ModelCost, account: Account): boolean {
  if (unknown.length > 0) return false;
  return currency === account.currency || (currency === null && minor === '0');
}

function noteOf({ currency, minor }: ModelCost, account: Account): string {
  if (currency === null || currency === account.currency) return 'part of the cost is not known';
  return `charged ${minor} ${currency} (minor), and the budget is in ${account.currency}`;
}

type Combine = (a: MinorAmount, b: MinorAmount) => MinorAmount;

function spend(account: Account, reservationId: string, { minor, role, purpose }: Settled, combine: Combine): Account {
  return {
    ...account,
    settled_minor: combine(account.settled_minor, minor),
    by_role: { ...account.by_role, [role]: combine(account.by_role[role] ?? '0', minor) },
    by_write_up: purpose === 'write_up' ? combine(account.by_write_up, minor) : account.by_write_up,
    settled: { ...account.settled, [reservationId]: { minor, role, purpose } },
  };
}

function heldFor(account: Account, reservationId: string): MinorAmount | undefined {
  const hold = account.holds.find(({ reservation_id }) => reservation_id === reservationId);
  return hold?.held_minor ?? account.settled[reservationId]?.minor;
}

function holdFor(ask: ReserveBudget, held_minor: MinorAmount): Hold {
  const { reservation_id, role, purpose, reply_to, what, price_version } = ask;
  return { reservation_id, role, purpose, reply_to, what, price_version, held_minor, known_minor: '0', unknown: false };
}

const without = (holds: readonly Hold[], gone: Hold): Hold[] => holds.filter((one) => one !== gone);

const namesOf = ({
  reservation_id,
  role,
  what,
}: Pick<Hold, 'reservation_id' | 'role' | 'what'>): BudgetChanged['data'] => ({
  reservation_id,
  role,
  what,
});
