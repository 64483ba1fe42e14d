import { fail } from '#contracts/errors.ts';
import { describeBadWrite, domainTables } from '../domain-tables.ts';
import type { DomainRow, DomainRows, RowQuery } from '../read-models/domain-rows.ts';

/** By table, then by key; the shape in which the in-memory actor store keeps what actors write. */
export type MemoryTables = Map<string, Map<string, DomainRow>>;

/** The domain tables in maps. Rows stay in order of arrival, which is what `created_at` stands for. */
export function createMemoryDomainRows(tables: MemoryTables): DomainRows {
  return {
    select(project, query) {
      const rows = [...(tables.get(query.table)?.values() ?? [])].map((row, arrival) => ({ row, arrival }));
      const found = rows.filter(({ row }) => row['project'] === project && matches(row, query));
      const sorted = found.toSorted((a, b) => compare(a, b, query.order));
      return Promise.resolve(sorted.slice(0, query.limit).map(({ row }) => structuredClone(row)));
    },
    insertOnce(project, table, row) {
      const reason = describeBadWrite(table, row);
      if (reason !== null) fail('request.invalid', reason);
      let rows = tables.get(table);
      if (rows === undefined) tables.set(table, (rows = new Map()));
      const key = JSON.stringify([
        project,
        ...(domainTables.get(table)?.key ?? []).map((column) => row[column] ?? null),
      ]);
      if (!rows.has(key)) rows.set(key, structuredClone({ ...row, project }));
      return Promise.resolve();
    },
  };
}

function matches(row: DomainRow, query: RowQuery): boolean {
  const isEqual = Object.entries(query.where).every(([column, value]) =>
    typeof value === 'object' ? value.includes(row[column] as string) : row[column] === value,
  );
  return isEqual && Object.entries(query.atLeast ?? {}).every(([column, least]) => textOf(row[column]) >= least);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

type Arrived = { readonly row: DomainRow; readonly arrival: number };

function compare(a: Arrived, b: Arrived, order: readonly string[]): number {
  for (const entry of order) {
    const isDescending = entry.startsWith('-');
    const column = isDescending ? entry.slice(1) : entry;
    const [left, right] = column === 'created_at' ? [a.arrival, b.arrival] : [a.row[column], b.row[column]];
    if (left === right || left === undefined || right === undefined || left === null || right === null) continue;
    return left < right === isDescending ? 1 : -1;
  }
  return 0;
}
