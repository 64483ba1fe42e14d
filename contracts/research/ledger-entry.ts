import * as z from 'zod';
import { DecimalString, Timestamp } from '../ids.ts';
import { UnknownCost } from './model-cost.ts';
import { Currency, MinorAmount } from './money.ts';

export const LedgerEntryKind = z.enum([
  'opened',
  'reserved',
  'refused',
  'settled',
  'released',
  'unknown',
  'adjusted',
  'closed',
  'project_cap',
]);
export type LedgerEntryKind = z.infer<typeof LedgerEntryKind>;

/** One change of the accounts, appended and never changed. */
export const LedgerEntry = z.object({
  ledger_entry_id: z.string(),
  entry_seq: DecimalString,
  kind: LedgerEntryKind,
  task_id: z.string().nullable(),
  reservation_id: z.string().nullable(),
  role: z.string().nullable(),
  what: z.string().nullable(),
  /** Of the account; null where there is none. */
  currency: Currency.nullable(),
  /** What this entry is about: the amount asked for, held, settled or let go, a cap. Null is unknown, or no limit. */
  minor: MinorAmount.nullable(),
  unknown: z.array(UnknownCost).readonly(),
  price_version: z.string().nullable(),
  /** Refusal, reason, or who adjusted it, in words. */
  note: z.string().nullable(),
  time: Timestamp,
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;
