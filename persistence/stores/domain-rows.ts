import { createHash } from 'node:crypto';
import { fail } from '#contracts/errors.ts';
import type { DatabaseConnection } from '../connection.ts';
import { columnValue, describeBadWrite, domainTables, type DomainTable } from '../domain-tables.ts';
import { StatementPool } from '../pools.ts';
import type { DomainRow, DomainRows, RowQuery } from '../read-models/domain-rows.ts';
import { storableText } from './sql-values.ts';

export type PostgresDomainRows = DomainRows & { close(): Promise<void> };

/** The domain tables in PostgreSQL. `connections`: how many reads may run at once. */
export function createPostgresDomainRows(connection: DatabaseConnection, connections = 4): PostgresDomainRows {
  const pool = new StatementPool(connection, { max: connections, statementTimeoutMs: 15_000 });
  return {
    select: (project, query) => pool.run<DomainRow>(selectStatement(project, query)),
    async insertOnce(project, table, row) {
      const reason = describeBadWrite(table, row);
      if (reason !== null) fail('request.invalid', reason);
      await pool.run(insertStatement(project, table, row));
    },
    close: () => pool.close(),
  };
}

type Built = { name: string; text: string; values: unknown[] };

function selectStatement(project: string, query: RowQuery): Built {
  const columns = columnsOf(query.table);
  const quote = (column: string): string => {
    if (column !== 'created_at' && !columns.includes(column))
      fail('request.invalid', `${query.table} has no ${column}`);
    return `"${column}"`;
  };
  const values: unknown[] = [project];
  const conditions = ['project = $1'];
  for (const [column, value] of Object.entries(query.where)) {
    values.push(typeof value === 'object' ? [...value] : value);
    conditions.push(
      `${quote(column)} = ${typeof value === 'object' ? `any ($${values.length})` : `$${values.length}`}`,
    );
  }
  for (const [column, value] of Object.entries(query.atLeast ?? {})) {
    values.push(value);
    conditions.push(`${quote(column)} >= $${values.length}`);
  }
  const order = query.order.map((column) =>
    column.startsWith('-') ? `${quote(column.slice(1))} desc` : quote(column),
  );
  values.push(query.limit);
  const text = `select ${columns.map((column) => `"${column}"`).join(', ')} from "${query.table}"
    where ${conditions.join(' and ')} ${order.length === 0 ? '' : `order by ${order.join(', ')}`} limit $${values.length}`;
  return { name: nameOf(text), text, values };
}

function insertStatement(project: string, name: string, row: DomainRow): Built {
  const table = tableOf(name);
  const columns = table.columns.filter((column) => row[column] !== undefined);
  const values = columns.map((column) => {
    const value = columnValue(table, column, row[column]);
    return typeof value === 'string' && table.types[column] !== 'json' ? storableText(value) : value;
  });
  const list = columns.map((column) => `"${column}"`).join(', ');
  const places = columns.map((column, index) => `$${index + 2}::${table.types[column] ?? 'text'}`).join(', ');
  const text = `insert into "${name}" (project, ${list}) values ($1, ${places}) on conflict do nothing`;
  return { name: nameOf(text), text, values: [project, ...values] };
}

/** The server keeps a prepared statement by name; one name, one text. */
function nameOf(text: string): string {
  return `rows_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}

function tableOf(name: string): DomainTable {
  return domainTables.get(name) ?? fail('request.invalid', `there is no domain table ${name}`);
}

function columnsOf(name: string): readonly string[] {
  return tableOf(name).columns;
}
