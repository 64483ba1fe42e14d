/** What an actor's `write()` may touch. `created_at` is the database's; everything else comes with the row. */
export type DomainTable = {
  readonly table: string;
  /** Besides `project`, which every key begins with. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** `ignore`: facts that never change, the first row stays. `replace`: the row as it is now. */
  readonly conflict: 'ignore' | 'replace';
};

const tables: readonly DomainTable[] = [
  {
    table: 'conversation',
    key: ['id'],
    columns: ['id', 'title', 'hidden', 'view', 'updated_at'],
    conflict: 'replace',
  },
  {
    table: 'message',
    key: ['id'],
    columns: ['id', 'conversation_id', 'seq', 'author', 'client_message_id', 'task_id', 'view', 'updated_at'],
    conflict: 'replace',
  },
  {
    table: 'message_revision',
    key: ['id'],
    columns: ['id', 'message_id', 'revision', 'text', 'mode', 'parts'],
    conflict: 'ignore',
  },
  { table: 'turn', key: ['id'], columns: ['id', 'conversation_id', 'message_id', 'intent'], conflict: 'replace' },
  {
    table: 'task',
    key: ['id'],
    columns: ['id', 'conversation_id', 'turn_id', 'parent_task_id', 'status', 'mode', 'view', 'updated_at'],
    conflict: 'replace',
  },
  { table: 'answer', key: ['id'], columns: ['id', 'answer'], conflict: 'replace' },
  {
    table: 'work_item',
    key: ['id'],
    columns: ['id', 'task_id', 'run_id', 'kind', 'status', 'started_ms', 'ended_ms', 'view'],
    conflict: 'replace',
  },
  {
    table: 'search_call',
    key: ['id'],
    columns: ['id', 'task_id', 'provider', 'query', 'status', 'result', 'started_ms', 'ended_ms'],
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
    conflict: 'ignore',
  },
  {
    table: 'task_source',
    key: ['task_id', 'source_revision_id'],
    columns: ['task_id', 'source_revision_id'],
    conflict: 'ignore',
  },
  {
    table: 'evidence',
    key: ['id'],
    columns: ['id', 'task_id', 'source_revision_id', 'evidence'],
    conflict: 'ignore',
  },
  {
    table: 'assertion',
    key: ['id', 'revision'],
    columns: ['id', 'revision', 'task_id', 'assertion'],
    conflict: 'ignore',
  },
  { table: 'artifact', key: ['id'], columns: ['id', 'task_id', 'status', 'view'], conflict: 'replace' },
  {
    table: 'operation',
    key: ['id'],
    columns: ['id', 'actor', 'request_id', 'status', 'result', 'problem'],
    conflict: 'replace',
  },
];

export const domainTables: ReadonlyMap<string, DomainTable> = new Map(tables.map((entry) => [entry.table, entry]));

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
