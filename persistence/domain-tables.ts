/** What an actor's `write()` may touch. `created_at` is the database's; everything else comes with the row. */
export type DomainTable = {
  readonly table: string;
  /** Besides `project`, which every key begins with. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** PostgreSQL types of the columns that are not `text`. */
  readonly types: Readonly<Record<string, 'json' | 'int4' | 'int8' | 'bool'>>;
  /** `ignore`: facts that never change, the first row stays. `replace`: the row as it is now. */
  readonly conflict: 'ignore' | 'replace';
};

const tables: readonly DomainTable[] = [
  {
    table: 'conversation',
    key: ['id'],
    columns: ['id', 'title', 'hidden', 'view', 'updated_at'],
    types: { hidden: 'bool', view: 'json' },
    conflict: 'replace',
  },
  {
    table: 'message',
    key: ['id'],
    columns: ['id', 'conversation_id', 'seq', 'author', 'client_message_id', 'task_id', 'view', 'updated_at'],
    types: { seq: 'int8', view: 'json' },
    conflict: 'replace',
  },
  {
    table: 'message_revision',
    key: ['id'],
    columns: ['id', 'message_id', 'revision', 'text', 'mode', 'parts'],
    types: { revision: 'int4', parts: 'json' },
    conflict: 'ignore',
  },
  {
    table: 'turn',
    key: ['id'],
    columns: ['id', 'conversation_id', 'message_id', 'intent'],
    types: {},
    conflict: 'replace',
  },
  {
    table: 'task',
    key: ['id'],
    columns: ['id', 'conversation_id', 'turn_id', 'parent_task_id', 'status', 'mode', 'view', 'updated_at'],
    types: { view: 'json' },
    conflict: 'replace',
  },
  { table: 'answer', key: ['id'], columns: ['id', 'answer'], types: { answer: 'json' }, conflict: 'replace' },
  {
    table: 'work_item',
    key: ['id'],
    columns: ['id', 'task_id', 'run_id', 'kind', 'status', 'started_ms', 'ended_ms', 'view'],
    types: { started_ms: 'int8', ended_ms: 'int8', view: 'json' },
    conflict: 'replace',
  },
  {
    table: 'role_run',
    key: ['id'],
    columns: ['id', 'task_id', 'role', 'status', 'record'],
    types: { record: 'json' },
    conflict: 'replace',
  },
  {
    table: 'search_call',
    key: ['id'],
    columns: ['id', 'task_id', 'provider', 'query', 'status', 'result', 'started_ms', 'ended_ms'],
    types: { result: 'json', started_ms: 'int8', ended_ms: 'int8' },
    conflict: 'replace',
  },
  {
    table: 'source_revision',
    key: ['id'],
    columns: [
      'id',
      'task_id',
      'requested_url',
      'final_url',
      'parser_version',
      'content_hash',
      'retrieved_time',
      'revision',
    ],
    types: { revision: 'json' },
    conflict: 'ignore',
  },
  {
    table: 'task_source',
    key: ['task_id', 'source_revision_id'],
    columns: ['task_id', 'source_revision_id'],
    types: {},
    conflict: 'ignore',
  },
  {
    table: 'evidence',
    key: ['id'],
    columns: ['id', 'task_id', 'source_revision_id', 'evidence'],
    types: { evidence: 'json' },
    conflict: 'ignore',
  },
  {
    table: 'assertion',
    key: ['id', 'revision'],
    columns: ['id', 'revision', 'task_id', 'assertion'],
    types: { revision: 'int4', assertion: 'json' },
    conflict: 'ignore',
  },
  {
    table: 'artifact',
    key: ['id'],
    columns: ['id', 'task_id', 'status', 'view'],
    types: { view: 'json' },
    conflict: 'replace',
  },
  {
    table: 'operation',
    key: ['id'],
    columns: ['id', 'actor', 'request_id', 'status', 'result', 'problem'],
    types: { result: 'json', problem: 'json' },
    conflict: 'replace',
  },
  {
    table: 'ledger_entry',
    key: ['id'],
    columns: ['id', 'task_id', 'reservation_id', 'seq', 'kind', 'entry'],
    types: { seq: 'int8', entry: 'json' },
    conflict: 'ignore',
  },
  {
    table: 'ledger_account',
    key: ['id'],
    columns: ['id', 'currency', 'view', 'updated_at'],
    types: { view: 'json' },
    conflict: 'replace',
  },
];

export const domainTables: ReadonlyMap<string, DomainTable> = new Map(tables.map((entry) => [entry.table, entry]));

/** The value as its column takes it: documents as JSON text, everything else as it is. */
export function columnValue(table: DomainTable, column: string, value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (table.types[column] === 'json') return JSON.stringify(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value);
}

/** What is wrong with a row for this table, in words; null when it can be written. */
export function describeBadWrite(table: string, row: { readonly [column: string]: unknown }): string | null {
  const known = domainTables.get(table);
  if (known === undefined) return `there is no domain table ${table}`;
  for (const column of known.key) {
    if (row[column] === undefined || row[column] === null) return `a row of ${table} lacks its key column ${column}`;
  }
  const unknown = Object.keys(row).filter((column) => column !== 'project' && !known.columns.includes(column));
  return unknown.length === 0 ? null : `table ${table} has no column ${unknown.join(', ')}`;
}
