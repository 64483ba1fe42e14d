import type { LedgerAccount, LedgerDetail, LedgerTotal, ProjectCap } from '#contracts/http/ledger.ts';
import type { LedgerEntry } from '#contracts/research/ledger-entry.ts';
import { addMinor } from '#contracts/research/minor.ts';

export function presentLedger(
  project_cap: ProjectCap | null,
  accounts: readonly LedgerAccount[],
  entries: readonly LedgerEntry[],
): LedgerDetail {
  return { project_cap, totals: totalsOf(accounts), accounts: [...accounts], entries: [...entries] };
}

/** Currencies are never added. */
function totalsOf(accounts: readonly LedgerAccount[]): LedgerTotal[] {
  const currencies = [...new Set(accounts.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const own = accounts.filter((account) => account.currency === currency);
    return {
      currency,
      settled_minor: addMinor(...own.map((account) => account.settled_minor)),
      reserved_minor: addMinor(...own.map((account) => account.reserved_minor)),
      held_unknown_minor: addMinor(...own.map((account) => account.held_unknown_minor)),
      unknown_calls: own.reduce((sum, account) => sum + account.unknown_calls, 0),
    };
  });
}
