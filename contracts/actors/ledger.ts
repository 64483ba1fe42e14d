import * as z from 'zod';
import { ModelCost } from '../research/model-cost.ts';
import { Currency, MinorAmount } from '../research/money.ts';

/** One for each project. */
export const LEDGER_ADDRESS = 'ledger/main';
/** Its part that is kept free of new work for the write-up, unless a task says otherwise. */
export const WRITE_UP_SHARE = 0.15;

export const UnknownPricePolicy = z.enum(['block', 'approved_upper_bound']);
export type UnknownPricePolicy = z.infer<typeof UnknownPricePolicy>;

export const SpendPurpose = z.enum(['work', 'write_up']);
export type SpendPurpose = z.infer<typeof SpendPurpose>;

const Id = z.string().min(1).max(200);

export const OpenTaskAccount = z.object({
  type: z.literal('ledger.open_task'),
  task_id: Id,
  /** Who hears `budget.changed`. */
  reply_to: z.string(),
  currency: Currency,
  /** Null: the task sets no limit of its own. */
  cap_minor: MinorAmount.nullable(),
  unknown_price_policy: UnknownPricePolicy,
  /** What one call of unknown price holds under `approved_upper_bound`; null approves none. */
  upper_bound_minor: MinorAmount.nullable(),
  /** Absent: `WRITE_UP_SHARE`. */
  write_up_share: z.number().min(0).max(0.9).optional(),
  role_caps: z.record(z.string(), MinorAmount).optional(),
});

export const ReserveBudget = z.object({
  type: z.literal('ledger.reserve'),
  reservation_id: Id,
  task_id: Id,
  role: z.string().min(1).max(80),
  purpose: SpendPurpose,
  reply_to: z.string(),
  /** In words for the account: a model profile, a search provider. */
  what: z.string().max(200),
  currency: Currency.nullable(),
  /** The most it can cost, retries and full output included; null is an unknown price. */
  max_minor: MinorAmount.nullable(),
  price_version: z.string().max(100).nullable(),
});
export type ReserveBudget = z.infer<typeof ReserveBudget>;

const OfReservation = { task_id: Id, reservation_id: Id };

export const LedgerMail = z.discriminatedUnion('type', [
  OpenTaskAccount,
  ReserveBudget,
  /** Sent, and it cost this. With something in `unknown` it is a lower bound, and the hold stays. */
  z.object({ type: z.literal('ledger.settle'), ...OfReservation, cost: ModelCost }),
  /** Surely not sent. */
  z.object({ type: z.literal('ledger.release'), ...OfReservation }),
  /** Sent, and nobody knows what became of it: the hold stays. */
  z.object({ type: z.literal('ledger.unknown'), ...OfReservation, why: z.string().max(2000) }),
  /** What was found out later, by an invoice or a person. It replaces what was known of this call. */
  z.object({ type: z.literal('ledger.adjust'), ...OfReservation, cost: ModelCost, by: z.string().min(1).max(200) }),
  /** Spent without a reservation, told by the vendor's own count. Booked in full; `call_id` is booked once. */
  z.object({
    type: z.literal('ledger.record'),
    task_id: Id,
    call_id: z.string().min(1).max(300),
    role: z.string().min(1).max(80),
    what: z.string().max(200),
    cost: ModelCost,
  }),
  /** The task stopped or ended: nothing new is reserved, what is in flight is cancelled, late costs are still settled. */
  z.object({ type: z.literal('ledger.close_task'), task_id: Id }),
  /** Limit of the whole project, in one currency; null takes it away. */
  z.object({
    type: z.literal('ledger.set_project'),
    cap: z.object({ currency: Currency, cap_minor: MinorAmount }).nullable(),
    by: z.string().min(1).max(200),
  }),
]);
export type LedgerMail = z.infer<typeof LedgerMail>;

export const RefusalReason = z.enum([
  'cap',
  'role_cap',
  'project_cap',
  'unknown_price',
  'other_currency',
  'write_up_reserve',
  'no_budget',
  'stopped',
]);
export type RefusalReason = z.infer<typeof RefusalReason>;

/** Ledger → whoever reserved. */
export const BudgetAnswer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('budget.granted'),
    reservation_id: z.string(),
    held_minor: MinorAmount,
    currency: Currency,
  }),
  z.object({
    type: z.literal('budget.refused'),
    reservation_id: z.string(),
    reason: RefusalReason,
    message: z.string(),
  }),
]);
export type BudgetAnswer = z.infer<typeof BudgetAnswer>;

/** Of one task, in its one currency. */
export const BudgetTotals = z.object({
  currency: Currency,
  cap_minor: MinorAmount.nullable(),
  /** Held for calls in flight. */
  reserved_minor: MinorAmount,
  /** Certain: settled in full, and what is certain of calls whose cost is unknown. */
  settled_minor: MinorAmount,
  /** Calls that were sent and whose cost is not known, or not all of it. */
  unknown_calls: z.int().nonnegative(),
  /** Held for them beyond what is certain. */
  held_unknown_minor: MinorAmount,
  /** No new work: what is left belongs to the write-up. */
  at_85_percent: z.boolean(),
});
export type BudgetTotals = z.infer<typeof BudgetTotals>;

/** Ledger → task, with each change of its account. The task publishes `event_type` with `data`. */
export const BudgetChanged = z.object({
  type: z.literal('budget.changed'),
  task_id: z.string(),
  event_type: z.enum(['budget.reserved', 'budget.settled']),
  data: z.record(z.string(), z.json()),
  totals: BudgetTotals,
});
export type BudgetChanged = z.infer<typeof BudgetChanged>;
