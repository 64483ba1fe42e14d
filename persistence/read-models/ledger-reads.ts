import type { LedgerAccount, ProjectCap } from '#contracts/http/ledger.ts';
import type { LedgerReads } from '#contracts/ports/reads.ts';
import { MANY, selectDocuments, selectFirst, type DomainRows } from './domain-rows.ts';

export function ledgerReads(rows: DomainRows): LedgerReads {
  return {
    account: (project, id) =>
      selectFirst<LedgerAccount>(rows, project, {
        table: 'ledger_account',
        document: 'view',
        where: { id },
        order: [],
      }),
    accounts: (project, limit) =>
      selectDocuments<LedgerAccount>(rows, project, {
        table: 'ledger_account',
        document: 'view',
        where: {},
        order: ['-updated_at', '-id'],
        limit,
      }),
    entriesOfTask: (project, task_id) =>
      selectDocuments(rows, project, {
        table: 'ledger_entry',
        document: 'entry',
        where: { task_id },
        order: ['seq'],
        limit: MANY,
      }),
    entries: (project, limit) =>
      selectDocuments(rows, project, { table: 'ledger_entry', document: 'entry', where: {}, order: ['-seq'], limit }),
    projectCap: (project) => projectCap(rows, project),
  };
}

/** The last entry that set it. */
async function projectCap(rows: DomainRows, project: string): Promise<ProjectCap | null> {
  const [entry] = await selectDocuments<{ currency: string | null; minor: string | null }>(rows, project, {
    table: 'ledger_entry',
    document: 'entry',
    where: { kind: 'project_cap' },
    order: ['-seq'],
    limit: 1,
  });
  if (entry === undefined || entry.currency === null || entry.minor === null) return null;
  return { currency: entry.currency, cap_minor: entry.minor };
}
