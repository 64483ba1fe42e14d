import type { BudgetTotals, RefusalReason, ReserveBudget } from '#contracts/actors/ledger.ts';
import { addMinor, compareMinor, maxMinor, shareOfMinor, subtractMinor } from '#contracts/research/minor.ts';
import type { MinorAmount } from '#contracts/research/money.ts';
import type { Account, Hold, LedgerState } from './contract.ts';

/** What a hold keeps from being spent by others: a lower bound may have grown above it. */
export const boundBy = ({ held_minor, known_minor }: Hold): MinorAmount => maxMinor(held_minor, known_minor);

const sumOf = (holds: readonly Hold[], each: (hold: Hold) => MinorAmount): MinorAmount => addMinor(...holds.map(each));

/** Reserved and spent. */
export const committedOf = (account: Account): MinorAmount =>
  addMinor(account.settled_minor, sumOf(account.holds, boundBy));

const committedBy = ({ by_role, holds }: Account, role: string): MinorAmount =>
  addMinor(
    by_role[role] ?? '0',
    sumOf(
      holds.filter((hold) => hold.role === role),
      boundBy,
    ),
  );

const committedByWriteUp = ({ by_write_up, holds }: Account): MinorAmount =>
  addMinor(
    by_write_up,
    sumOf(
      holds.filter(({ purpose }) => purpose === 'write_up'),
      boundBy,
    ),
  );

const committedByProject = ({ accounts, past }: LedgerState, currency: string): MinorAmount =>
  addMinor(past[currency] ?? '0', ...accounts.filter((one) => one.currency === currency).map(committedOf));

export function totalsOf(account: Account): BudgetTotals {
  const { currency, cap_minor, settled_minor, holds } = account;
  const unknown = holds.filter((hold) => hold.unknown);
  const settled = addMinor(
    settled_minor,
    sumOf(unknown, ({ known_minor }) => known_minor),
  );
  const heldUnknown = sumOf(unknown, (hold) => subtractMinor(boundBy(hold), hold.known_minor));
  return {
    currency,
    cap_minor,
    reserved_minor: sumOf(
      holds.filter((hold) => !hold.unknown),
      boundBy,
    ),
    settled_minor: settled,
    unknown_calls: unknown.length,
    held_unknown_minor: heldUnknown,
    at_85_percent: account.exhausted || isNearCap(account, addMinor(settled, heldUnknown)),
  };
}

function isNearCap({ cap_minor, write_up_share }: Account, spent: MinorAmount): boolean {
  if (cap_minor === null || compareMinor(spent, '0') === 0) return false;
  return compareMinor(spent, shareOfMinor(cap_minor, 1 - write_up_share)) >= 0;
}

export type Judgement = { readonly held: MinorAmount } | { readonly refused: RefusalReason; readonly message: string };

const refuse = (refused: RefusalReason, message: string): Judgement => ({ refused, message });

/** Whether this call may be paid for now. What costs nothing needs no room. */
export function judge(state: LedgerState, account: Account | undefined, ask: ReserveBudget): Judgement {
  if (account === undefined) return refuse('no_budget', `the task ${ask.task_id} has no account`);
  if (!account.open) return refuse('stopped', 'the task ended; nothing new is spent on it');
  const priced = priceOf(account, ask);
  if ('refused' in priced || compareMinor(priced.held, '0') === 0) return priced;
  return withinCaps(account, ask, priced.held) ?? withinProject(state, account, priced.held) ?? priced;
}

function priceOf(account: Account, { currency, max_minor, what }: ReserveBudget): Judgement {
  if (currency !== null && currency !== account.currency) {
    return refuse('other_currency', `${what} is charged in ${currency}, the budget is in ${account.currency}`);
  }
  if (currency !== null && max_minor !== null) return { held: max_minor };
  if (account.unknown_price_policy === 'block') return refuse('unknown_price', `${what} has no known price`);
  if (account.upper_bound_minor === null) {
    return refuse('unknown_price', `${what} has no known price, and no upper bound was approved`);
  }
  return { held: account.upper_bound_minor };
}

function withinCaps(account: Account, { role, purpose, what }: ReserveBudget, held: MinorAmount): Judgement | null {
  const { cap_minor: cap, currency } = account;
  const roleCap = account.role_caps[role];
  if (roleCap !== undefined && isOver(committedBy(account, role), held, roleCap)) {
    return refuse('role_cap', `${what} may cost ${held} ${currency} (minor), more than is left for ${role}`);
  }
  if (cap === null) return null;
  const committed = committedOf(account);
  if (isOver(committed, held, cap)) {
    return refuse('cap', `${what} may cost ${held}; ${committed} of ${cap} ${currency} (minor) are reserved or spent`);
  }
  if (purpose === 'write_up') return null;
  const kept = subtractMinor(cap, shareOfMinor(cap, 1 - account.write_up_share));
  const stillKept = subtractMinor(kept, committedByWriteUp(account));
  if (!isOver(committed, addMinor(held, stillKept), cap)) return null;
  return refuse('write_up_reserve', `what is left, up to ${stillKept} ${currency} (minor), is kept for the write-up`);
}

function withinProject(state: LedgerState, { currency }: Account, held: MinorAmount): Judgement | null {
  const cap = state.project_cap;
  if (cap === null) return null;
  if (cap.currency !== currency) {
    return refuse('other_currency', `the project's limit is in ${cap.currency}, the budget is in ${currency}`);
  }
  if (!isOver(committedByProject(state, currency), held, cap.cap_minor)) return null;
  return refuse('project_cap', `the project's limit of ${cap.cap_minor} ${currency} (minor) is reached`);
}

const isOver = (committed: MinorAmount, more: MinorAmount, cap: MinorAmount): boolean =>
  compareMinor(addMinor(committed, more), cap) > 0;
