import * as z from 'zod';
import { OpenTaskAccount, SpendPurpose } from '#contracts/actors/ledger.ts';
import { Currency, MinorAmount } from '#contracts/research/money.ts';

export const LedgerInput = z.object({});

/** What is set aside for one call; `unknown`: it was sent, and what it cost is not known, or not all of it. */
export const Hold = z.object({
  reservation_id: z.string(),
  role: z.string(),
  purpose: SpendPurpose,
  reply_to: z.string(),
  what: z.string(),
  price_version: z.string().nullable(),
  held_minor: MinorAmount,
  /** Part of what is held of which is certain that it was spent. */
  known_minor: MinorAmount,
  unknown: z.boolean(),
});
export type Hold = z.infer<typeof Hold>;

/** A call whose cost is known in full: enough to recognise it again and to adjust it. */
export const Settled = z.object({ minor: MinorAmount, role: z.string(), purpose: SpendPurpose });
export type Settled = z.infer<typeof Settled>;

/** One task's money, in one currency. */
export const Account = OpenTaskAccount.omit({ type: true }).extend({
  write_up_share: z.number(),
  role_caps: z.record(z.string(), MinorAmount),
  open: z.boolean(),
  /** Work was refused for want of money. */
  exhausted: z.boolean(),
  /** Of the calls whose cost is known in full, also of those that are no longer in `settled`. */
  settled_minor: MinorAmount,
  by_role: z.record(z.string(), MinorAmount),
  by_write_up: MinorAmount,
  holds: z.array(Hold),
  settled: z.record(z.string(), Settled),
});
export type Account = z.infer<typeof Account>;

export const LedgerState = z.object({
  project_cap: z.object({ currency: Currency, cap_minor: MinorAmount }).nullable(),
  /** Oldest first. */
  accounts: z.array(Account),
  /** By currency: what was spent by tasks that are no longer in `accounts`. */
  past: z.record(z.string(), MinorAmount),
  /** Entries written so far. */
  entries: z.int().nonnegative(),
});
export type LedgerState = z.infer<typeof LedgerState>;
