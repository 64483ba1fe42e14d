import * as z from 'zod';
import { BudgetTotals } from '../actors/ledger.ts';
import { LedgerEntry } from '../research/ledger-entry.ts';
import { Currency, MinorAmount } from '../research/money.ts';

export const LedgerQuery = z.strictObject({ task_id: z.string().max(200).optional() });

/** One task's money as it is now. `open`: something may still be reserved. */
export const LedgerAccount = BudgetTotals.extend({ task_id: z.string(), open: z.boolean() });
export type LedgerAccount = z.infer<typeof LedgerAccount>;

export const ProjectCap = z.object({ currency: Currency, cap_minor: MinorAmount });
export type ProjectCap = z.infer<typeof ProjectCap>;

export const SetProjectCap = z.strictObject({
  request_id: z.string().regex(/^[A-Za-z0-9_-]{8,80}$/),
  /** Null takes the limit away. */
  cap: z.strictObject({ currency: Currency, cap_minor: MinorAmount }).nullable(),
});
export type SetProjectCap = z.infer<typeof SetProjectCap>;

/** Sums of one currency; currencies are never added. With `unknown_calls` it is at least `settled_minor`. */
export const LedgerTotal = BudgetTotals.pick({
  currency: true,
  settled_minor: true,
  reserved_minor: true,
  held_unknown_minor: true,
  unknown_calls: true,
});
export type LedgerTotal = z.infer<typeof LedgerTotal>;

export const LedgerDetail = z.object({
  project_cap: ProjectCap.nullable(),
  totals: z.array(LedgerTotal),
  accounts: z.array(LedgerAccount),
  /** Of the task in order; of the whole project the latest, newest first. */
  entries: z.array(LedgerEntry),
});
export type LedgerDetail = z.infer<typeof LedgerDetail>;
