import type { Json } from '#contracts/json.ts';

type Value = string | number | boolean;

export type RowQuery = {
  readonly table: string;
  /** Equal to the value, or to one of several. */
  readonly where: Readonly<Record<string, Value | readonly Value[]>>;
  /** Not below, for columns that sort as text. */
  readonly atLeast?: Readonly<Record<string, string>>;
  /** Column names, `-` before one that descends. `created_at` is the order of arrival. */
  readonly order: readonly string[];
  readonly limit: number;
};

export type DomainRow = { readonly [column: string]: Json };

/** Rows of one project's domain tables. Read models are written once, on this; PostgreSQL and memory differ only below it. */
export interface DomainRows {
  select(project: string, query: RowQuery): Promise<readonly DomainRow[]>;
  /** Inserts unless the key is there already. */
  insertOnce(project: string, table: string, row: DomainRow): Promise<void>;
}

/** More than any task has; a bound so that no read is without one. */
export const MANY = 10_000;

/** The document in `column` of the first row, as the type its writer gave it. */
export async function selectFirst<T>(
  rows: DomainRows,
  project: string,
  query: Omit<RowQuery, 'limit'> & { readonly document: string },
): Promise<T | null> {
  const [row] = await rows.select(project, { ...query, limit: 1 });
  return (row?.[query.document] ?? null) as T | null;
}

export async function selectDocuments<T>(
  rows: DomainRows,
  project: string,
  query: RowQuery & { readonly document: string },
): Promise<T[]> {
  const found = await rows.select(project, query);
  return found.map((row) => row[query.document] as T);
}
