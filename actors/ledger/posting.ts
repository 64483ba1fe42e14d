import type { BudgetChanged, RefusalReason, ReserveBudget } from '#contracts/actors/ledger.ts';
import type { LedgerAccount } from '#contracts/http/ledger.ts';
import type { ActorAddress, ActorEvent, Priority } from '#contracts/envelope.ts';
import type { LedgerEntry } from '#contracts/research/ledger-entry.ts';
import { addMinor } from '#contracts/research/minor.ts';
import type { MinorAmount } from '#contracts/research/money.ts';
import { reply, send, write, type Request } from '#runtime/core/requests.ts';
import { totalsOf } from './account.ts';
import type { Account, Hold, LedgerState } from './contract.ts';

/** Bounds of what is remembered one by one; the sums hold all of it. A snapshot is written with every commit. */
const MAX_ENDED = 20;
const MAX_ACCOUNTS = 1000;
const MAX_SETTLED = 300;

type Named = Pick<Hold, 'reservation_id' | 'role' | 'price_version'> & { readonly what: string | null };
type Entry = Pick<LedgerEntry, 'kind' | 'minor'> & {
  readonly ask?: ReserveBudget;
  readonly hold?: Named;
  readonly currency?: string | null;
  readonly unknown?: LedgerEntry['unknown'];
  readonly note?: string;
};

/** What one message changes and asks for. Entries are numbered as they are made. */
export class Posting {
  #state: LedgerState;
  readonly #at: string;
  readonly #requests: Request[] = [];
  readonly #changed = new Set<string>();

  constructor(state: LedgerState, event: object) {
    this.#state = state;
    this.#at = 'at' in event && typeof event.at === 'string' ? event.at : '';
  }

  account(taskId: string): Account | undefined {
    return this.#state.accounts.find(({ task_id }) => task_id === taskId);
  }

  hold(of: { readonly task_id: string; readonly reservation_id: string }): { account: Account; hold: Hold } | null {
    const account = this.account(of.task_id);
    const hold = account?.holds.find(({ reservation_id }) => reservation_id === of.reservation_id);
    return account === undefined || hold === undefined ? null : { account, hold };
  }

  put(account: Account): void {
    const { accounts } = this.#state;
    const isKnown = accounts.some(({ task_id }) => task_id === account.task_id);
    const next = isKnown
      ? accounts.map((one) => (one.task_id === account.task_id ? account : one))
      : [...accounts, account];
    this.#state = { ...this.#state, accounts: next };
    this.#changed.add(account.task_id);
  }

  enter(account: Account | null, about: Entry): void {
    const seq = this.#state.entries + 1;
    this.#state = { ...this.#state, entries: seq };
    const entry = entryOf(account, about, seq, this.#at);
    const { ledger_entry_id: id, task_id, reservation_id, kind } = entry;
    this.#requests.push(write('ledger_entry', { id, task_id, reservation_id, seq, kind, entry }));
  }

  grant(ask: ReserveBudget, { currency }: Account, held_minor: MinorAmount): this {
    const { reservation_id } = ask;
    return this.send(ask.reply_to as ActorAddress, { type: 'budget.granted', reservation_id, held_minor, currency });
  }

  refuse(ask: ReserveBudget, reason: RefusalReason, message: string): this {
    const { reservation_id } = ask;
    return this.send(ask.reply_to as ActorAddress, { type: 'budget.refused', reservation_id, reason, message });
  }

  tellTask(account: Account, event_type: BudgetChanged['event_type'], data: BudgetChanged['data']): this {
    const { task_id } = account;
    const told: BudgetChanged = { type: 'budget.changed', task_id, event_type, data, totals: totalsOf(account) };
    return this.send(account.reply_to as ActorAddress, told);
  }

  send(to: ActorAddress, event: ActorEvent, priority: Priority = 'normal'): this {
    this.#requests.push(send(to, event, { priority }));
    return this;
  }

  answerAdjusted(adjusted: boolean): this {
    this.#requests.push(reply({ adjusted }));
    return this;
  }

  settle(): { state: LedgerState; requests: readonly Request[] } {
    const rows = [...this.#changed].flatMap((id) => this.#accountRow(id));
    return { state: shorten(foldOld(this.#state)), requests: [...this.#requests, ...rows] };
  }

  /** The totals that people read, in the commit that made them true. */
  #accountRow(id: string): Request[] {
    const account = this.account(id);
    if (account === undefined) return [];
    const view: LedgerAccount = { task_id: id, open: account.open, ...totalsOf(account) };
    return [write('ledger_account', { id, currency: account.currency, view, updated_at: this.#at })];
  }
}

function entryOf(account: Account | null, about: Entry, seq: number, time: string): LedgerEntry {
  const { kind, minor, ask, hold, unknown = [], note = null } = about;
  const named = hold ?? ask ?? { reservation_id: null, role: null, what: null, price_version: null };
  const { reservation_id, role, what, price_version } = named;
  return {
    ledger_entry_id: `led_${String(seq).padStart(12, '0')}`,
    entry_seq: String(seq),
    kind,
    task_id: account?.task_id ?? ask?.task_id ?? null,
    reservation_id,
    role,
    what,
    currency: account?.currency ?? ask?.currency ?? about.currency ?? null,
    minor,
    unknown,
    price_version,
    note: note === null ? null : note.slice(0, 500),
    time,
  };
}

/** Accounts without a hold become part of the sum of their currency, the oldest first. Without an account nothing is granted. */
function foldOld(state: LedgerState): LedgerState {
  const { accounts } = state;
  const ended = accounts.filter(({ open, holds }) => !open && holds.length === 0);
  const idle = accounts.filter(({ open, holds }) => open && holds.length === 0);
  const old = new Set([
    ...ended.slice(0, Math.max(0, ended.length - MAX_ENDED)),
    ...idle.slice(0, Math.max(0, accounts.length - MAX_ACCOUNTS)),
  ]);
  if (old.size === 0) return state;
  const past = { ...state.past };
  for (const { currency, settled_minor } of old) past[currency] = addMinor(past[currency] ?? '0', settled_minor);
  return { ...state, past, accounts: accounts.filter((one) => !old.has(one)) };
}

/** Details of settled calls go, the oldest of the oldest task first; their sums stay. */
function shorten(state: LedgerState): LedgerState {
  let surplus = state.accounts.reduce((sum, { settled }) => sum + Object.keys(settled).length, 0) - MAX_SETTLED;
  if (surplus <= 0) return state;
  const accounts = state.accounts.map((account) => {
    const kept = Object.entries(account.settled).slice(Math.max(0, surplus));
    surplus -= Object.keys(account.settled).length - kept.length;
    return { ...account, settled: Object.fromEntries(kept) };
  });
  return { ...state, accounts };
}
