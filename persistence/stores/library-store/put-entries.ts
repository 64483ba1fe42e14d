import type pg from 'pg';
import type { FileEntry } from '#contracts/ports/library-store.ts';
import { arrayLiteral, storableText } from '../sql-values.ts';

const SMALLINT_MAX = 32_767;

/** Replaces files and their postings. Runs inside the caller's transaction. */
export async function putEntries(client: pg.PoolClient, rootId: string, entries: readonly FileEntry[]): Promise<void> {
  // Of two entries of one path the last one counts.
  const distinct = [...new Map(entries.map((entry) => [entry.state.path, entry])).values()];
  await client.query({
    name: 'library-forget-files',
    text: `with gone as (delete from library_file where root_id = $1
          and md5(path) = any (select md5(path) from unnest($2::text[]) as path) returning id)
      delete from library_posting where file_id in (select id from gone)`,
    values: [rootId, distinct.map(({ state }) => state.path)],
  });
  const ids = await insertFiles(client, rootId, distinct);
  await insertPostings(client, distinct, ids);
}

async function insertFiles(
  client: pg.PoolClient,
  rootId: string,
  entries: readonly FileEntry[],
): Promise<ReadonlyMap<string, number>> {
  const column = (value: (entry: FileEntry) => string | number | null): string => arrayLiteral(entries.map(value));
  const { rows } = await client.query<{ id: number; path: string }>({
    name: 'library-insert-files',
    text: `insert into library_file (root_id, path, bytes, modified_ms, hash, rules, skipped, title, language,
          title_terms, heading_terms, table_header_terms, body_terms, passages)
      select $1, * from unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
          $10::int[], $11::int[], $12::int[], $13::int[], $14::json[])
      returning id, path`,
    values: [
      rootId,
      column(({ state }) => state.path),
      column(({ state }) => state.bytes),
      column(({ state }) => state.modifiedMs),
      column(({ state }) => state.hash),
      column(({ state }) => state.rules),
      column(({ state }) => (state.skipped === null ? null : storableText(state.skipped))),
      column(({ page }) => storableText(page?.title ?? '')),
      column(({ page }) => storableText(page?.language ?? 'und')),
      column(({ page }) => page?.lengths.title ?? 0),
      column(({ page }) => page?.lengths.headings ?? 0),
      column(({ page }) => page?.lengths.tableHeaders ?? 0),
      column(({ page }) => page?.lengths.body ?? 0),
      column(({ page }) => (page === null ? null : JSON.stringify(page.passages))),
    ],
  });
  return new Map(rows.map(({ id, path }) => [path, id]));
}

async function insertPostings(
  client: pg.PoolClient,
  entries: readonly FileEntry[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const terms: string[] = [];
  const fileIds: number[] = [];
  const counts: [number[], number[], number[], number[]] = [[], [], [], []];
  for (const { state, page } of entries) {
    const id = ids.get(state.path);
    if (page === null || id === undefined) continue;
    for (const [term, { title, headings, tableHeaders, body }] of page.postings) {
      terms.push(term);
      fileIds.push(id);
      counts[0].push(Math.min(title, SMALLINT_MAX));
      counts[1].push(Math.min(headings, SMALLINT_MAX));
      counts[2].push(Math.min(tableHeaders, SMALLINT_MAX));
      counts[3].push(body);
    }
  }
  if (terms.length === 0) return;
  await client.query({
    name: 'library-insert-postings',
    text: `insert into library_posting (term, file_id, title, headings, table_headers, body)
      select * from unnest($1::text[], $2::int[], $3::smallint[], $4::smallint[], $5::smallint[], $6::int[])`,
    values: [arrayLiteral(terms), arrayLiteral(fileIds), ...counts.map((list) => arrayLiteral(list))],
  });
}
