import type { LedgerState } from './contract.ts';
import { totalsOf } from './account.ts';

export const viewLedger = ({ project_cap, accounts, past, entries }: LedgerState) => ({
  project_cap,
  past,
  entries,
  accounts: accounts.map((account) => ({ task_id: account.task_id, open: account.open, ...totalsOf(account) })),
});
