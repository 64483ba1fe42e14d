import { ledgerActor } from '#actors/ledger/actor.ts';
import { committedOf } from '#actors/ledger/account.ts';
import type { Account, LedgerState } from '#actors/ledger/contract.ts';
import type { BudgetAnswer, BudgetChanged, LedgerMail, ReserveBudget } from '#contracts/actors/ledger.ts';
import type { LedgerEntry } from '#contracts/research/ledger-entry.ts';
import type { ModelCost } from '#contracts/research/model-cost.ts';
import { StoredActor } from '../models/stored-actor.ts';

type MailOf<Type extends LedgerMail['type']> = Extract<LedgerMail, { type: Type }>;
const START_MS = Date.UTC(2026, 0, 1);
export const TASK = 'tsk_moneytask';

export const cost = (
  minor: string,
  unknown: ModelCost['unknown'] = [],
  currency: string | null = 'USD',
): ModelCost => ({
  currency,
  minor,
  unknown,
  price_version: 'v1',
});

/** A ledger between two commits: what it is told, and what it answers, enters and tells. Every step goes through its row. */
export class LedgerDesk {
  readonly entries: LedgerEntry[] = [];
  readonly told: BudgetChanged[] = [];
  readonly cancelled: string[] = [];
  readonly #actor: StoredActor;

  constructor() {
    [this.#actor] = StoredActor.create(ledgerActor, 'main', {}, START_MS);
  }

  get state(): LedgerState {
    return this.#actor.observe().context as unknown as LedgerState;
  }

  get characters(): number {
    return JSON.stringify(this.#actor.loaded.row.snapshot).length;
  }

  account(taskId = TASK): Account {
    const found = this.state.accounts.find(({ task_id }) => task_id === taskId);
    if (found === undefined) throw new RangeError(`there is no account of ${taskId}`);
    return found;
  }

  committed(taskId = TASK): string {
    return committedOf(this.account(taskId));
  }

  /** Returns the answer to a reservation, if it was one. */
  post(event: LedgerMail): BudgetAnswer | null {
    const { verdict, asked } = this.#actor.mail(event, START_MS);
    if (verdict.kind !== 'taken') throw new RangeError(JSON.stringify(verdict));
    let answer: BudgetAnswer | null = null;
    for (const { to, event: sent } of asked.mail as unknown as { to: string; event: { type: string } }[]) {
      if (sent.type === 'budget.changed') this.told.push(sent as BudgetChanged);
      else if (sent.type === 'paid.cancel') this.cancelled.push(to);
      else answer = sent as BudgetAnswer;
    }
    for (const { table, row } of asked.written as unknown as { table: string; row: { entry: LedgerEntry } }[]) {
      if (table === 'ledger_entry') this.entries.push(row.entry);
    }
    return answer;
  }

  open(change: Partial<MailOf<'ledger.open_task'>> = {}): this {
    this.post({
      type: 'ledger.open_task',
      task_id: TASK,
      reply_to: `task/${change.task_id ?? TASK}`,
      currency: 'USD',
      cap_minor: '1000',
      unknown_price_policy: 'block',
      upper_bound_minor: null,
      ...change,
    });
    return this;
  }

  /** Granted, or why not. */
  reserve(reservation_id: string, max_minor: string | null, change: Partial<ReserveBudget> = {}): string {
    const answer = this.post({
      type: 'ledger.reserve',
      reservation_id,
      task_id: TASK,
      role: 'extractor',
      purpose: 'work',
      reply_to: `paid-call/${reservation_id}`,
      what: 'model sonnet',
      currency: 'USD',
      max_minor,
      price_version: 'v1',
      ...change,
    });
    if (answer === null) throw new RangeError('a reservation was not answered');
    return answer.type === 'budget.granted' ? 'granted' : answer.reason;
  }

  settle(reservation_id: string, paid: ModelCost, task_id = TASK): this {
    this.post({ type: 'ledger.settle', task_id, reservation_id, cost: paid });
    return this;
  }
}
