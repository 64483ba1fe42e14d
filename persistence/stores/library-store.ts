import type pg from 'pg';
import type { LibraryRoot } from '#contracts/ports/library.ts';
import type {
  Corpus,
  FileEntry,
  FileState,
  LibraryStore,
  PageSummary,
  Passage,
  Posting,
} from '#contracts/ports/library-store.ts';
import type { DatabaseConnection } from '../connection.ts';
import { StatementPool } from '../pools.ts';
import { putEntries } from './library-store/put-entries.ts';
import { storableText } from './sql-values.ts';

export type PostgresLibraryStore = LibraryStore & { close(): Promise<void> };

type FileRow = {
  path: string;
  bytes: number;
  modified_ms: number;
  hash: string;
  rules: string;
  skipped: string | null;
};
type RootRow = { id: string; kind: LibraryRoot['kind']; label: string; path: string; approved_ms: number };
type SummaryRow = {
  id: number;
  root_id: string;
  path: string;
  title: string;
  language: string;
  title_terms: number;
  heading_terms: number;
  table_header_terms: number;
  body_terms: number;
};
type PostingRow = {
  term: string;
  file_id: number;
  title: number;
  headings: number;
  table_headers: number;
  body: number;
};
type CorpusRow = { pages: number; title: number; headings: number; table_headers: number; body: number };

/** The library's index in PostgreSQL. Nothing of it is kept in this process. */
export function createPostgresLibraryStore(connection: DatabaseConnection): PostgresLibraryStore {
  const pool = new StatementPool(connection, { max: 2, statementTimeoutMs: 30_000 });
  return { ...rootMethods(pool), ...fileMethods(pool), ...searchMethods(pool), close: () => pool.close() };
}

function rootMethods(pool: StatementPool): Pick<LibraryStore, 'roots' | 'putRoot' | 'removeRoot'> {
  return {
    async roots() {
      const text = 'select id, kind, label, path, approved_ms from library_root order by approved_ms, id';
      const rows = await pool.run<RootRow>({ name: 'library-roots', text, values: [] });
      return rows.map(({ id, approved_ms, ...rest }) => ({ rootId: id, approvedAtMs: approved_ms, ...rest }));
    },
    async putRoot({ rootId, kind, label, path, approvedAtMs }) {
      const text = `insert into library_root (id, kind, label, path, approved_ms) values ($1, $2, $3, $4, $5)
        on conflict (id) do update set kind = excluded.kind, label = excluded.label, path = excluded.path`;
      const values = [rootId, kind, storableText(label), path, approvedAtMs];
      await pool.run({ name: 'library-put-root', text, values });
    },
    async removeRoot(rootId) {
      const text = `with gone as (delete from library_file where root_id = $1 returning id),
          postings as (delete from library_posting where file_id in (select id from gone))
        delete from library_root where id = $1`;
      await pool.run({ name: 'library-remove-root', text, values: [rootId] });
    },
  };
}

function fileMethods(pool: StatementPool): Pick<LibraryStore, 'files' | 'putFiles' | 'touchFiles' | 'removeFiles'> {
  return {
    async files(rootId) {
      const text = 'select path, bytes, modified_ms, hash, rules, skipped from library_file where root_id = $1';
      const rows = await pool.run<FileRow>({ name: 'library-files', text, values: [rootId] });
      return rows.map(({ modified_ms, ...rest }): FileState => ({ modifiedMs: modified_ms, ...rest }));
    },
    async putFiles(rootId: string, entries: readonly FileEntry[]) {
      await pool.withClient((client) => inTransaction(client, () => putEntries(client, rootId, entries)));
    },
    async touchFiles(rootId, states) {
      const text = `update library_file file set bytes = new.bytes, modified_ms = new.modified_ms, rules = new.rules
        from unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[]) as new (path, bytes, modified_ms, rules)
        where file.root_id = $1 and md5(file.path) = md5(new.path)`;
      const column = <K extends keyof FileState>(key: K) => states.map((state) => state[key]);
      const values = [rootId, column('path'), column('bytes'), column('modifiedMs'), column('rules')];
      await pool.run({ name: 'library-touch-files', text, values });
    },
    async removeFiles(rootId, paths) {
      const text = `with gone as (delete from library_file where root_id = $1
            and md5(path) = any (select md5(path) from unnest($2::text[]) as path) returning id)
        delete from library_posting where file_id in (select id from gone)`;
      await pool.run({ name: 'library-remove-files', text, values: [rootId, paths] });
    },
  };
}

function searchMethods(pool: StatementPool): Pick<LibraryStore, 'corpus' | 'postings' | 'summaries' | 'passages'> {
  return {
    async corpus(): Promise<Corpus> {
      const text = `select count(*)::int as pages, coalesce(avg(title_terms), 0)::float8 as title,
          coalesce(avg(heading_terms), 0)::float8 as headings, coalesce(avg(table_header_terms), 0)::float8 as table_headers,
          coalesce(avg(body_terms), 0)::float8 as body
        from library_file where skipped is null`;
      const [row] = await pool.run<CorpusRow>({ name: 'library-corpus', text, values: [] });
      const { pages = 0, title = 0, headings = 0, table_headers: tableHeaders = 0, body = 0 } = row ?? {};
      return { pages, averages: { title, headings, tableHeaders, body } };
    },
    async postings(terms) {
      const text = `select term, file_id, title, headings, table_headers, body from library_posting where term = any ($1::text[])`;
      const rows = await pool.run<PostingRow>({ name: 'library-postings', text, values: [[...new Set(terms)]] });
      return rows.map(({ file_id, table_headers, ...rest }): Posting => ({
        pageId: String(file_id),
        tableHeaders: table_headers,
        ...rest,
      }));
    },
    async summaries(pageIds) {
      const text = `select id, root_id, path, title, language, title_terms, heading_terms, table_header_terms, body_terms
        from library_file where id = any ($1::int[])`;
      const rows = await pool.run<SummaryRow>({ name: 'library-summaries', text, values: [pageIds.map(Number)] });
      return rows.map(summaryOf);
    },
    async passages(pageIds) {
      const text = 'select id, passages from library_file where id = any ($1::int[]) and passages is not null';
      const values = [pageIds.map(Number)];
      const rows = await pool.run<{ id: number; passages: Passage[] }>({ name: 'library-passages', text, values });
      return new Map(rows.map(({ id, passages }) => [String(id), passages]));
    },
  };
}

function summaryOf(row: SummaryRow): PageSummary {
  return {
    pageId: String(row.id),
    rootId: row.root_id,
    path: row.path,
    title: row.title,
    language: row.language,
    lengths: {
      title: row.title_terms,
      headings: row.heading_terms,
      tableHeaders: row.table_header_terms,
      body: row.body_terms,
    },
  };
}

async function inTransaction(client: pg.PoolClient, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
