import { domainTables } from '../../domain-tables.ts';
import type { ArrayType } from '../binary-array.ts';

/**
 * SQL of the parts of a commit. Each reads its rows as `t` and joins `done`: the entries that landed,
 * as (n, project, address, shard, epoch, seq, event_seq, def_hash). So nothing is written or deleted for an entry that did not.
 */
export type Part = {
  /** PostgreSQL types of the columns of `t`, by name, in the order commit-columns.ts fills them. */
  readonly columns: Readonly<Record<string, ArrayType>>;
  readonly sql: (rows: string) => string;
};

export const ENTRY = {
  n: 'int4',
  project: 'text',
  address: 'text',
  shard: 'int2',
  epoch: 'int8',
  expected: 'int8',
  machine_version: 'int4',
  def_hash: 'text',
  status: 'text',
  event_seq: 'int8',
  snapshot: 'json',
  fence_scope: 'text',
  fence_generation: 'int8',
} as const satisfies Part['columns'];

export const REQUIRES = { n: 'int4', scope: 'text', generation: 'int8' } as const satisfies Part['columns'];

/** The order of execution: fences before rows of other actors, so that all statements lock in one order. */
export const PART_ORDER = [
  'fencesSet',
  'log',
  'consumed',
  'outgoing',
  'timersDeleted',
  'timersSet',
  'effectsDeleted',
  'effectsAdded',
  'published',
  'quarantined',
  'deadLetters',
] as const;

export const parts: Readonly<Record<(typeof PART_ORDER)[number], Part>> = {
  fencesSet: {
    columns: { n: 'int4', scope: 'text', generation: 'int8', open: 'bool' },
    sql: (rows) => `insert into fence as f (scope, generation, open)
      select distinct on (t.scope) t.scope, t.generation, t.open from ${rows} join done d using (n)
      order by t.scope, t.generation desc, t.row_number desc
      on conflict (scope) do update set generation = excluded.generation, open = excluded.open
      where f.generation <= excluded.generation`,
  },
  log: {
    columns: {
      n: 'int4',
      message_id: 'text',
      is_outside: 'bool',
      position: 'int4',
      sender: 'text',
      event_type: 'text',
      payload_hash: 'text',
      outcome: 'text',
      state_before: 'json',
      state_after: 'json',
      detail: 'json',
      reply: 'json',
      duration_micros: 'int4',
    },
    sql: (
      rows,
    ) => `insert into transition_log (project, address, message_id, is_outside, seq, position, event_seq, sender,
        event_type, payload_hash, outcome, state_before, state_after, detail, reply, duration_micros, def_hash, commit_id)
      select d.project, d.address, t.message_id, t.is_outside, d.seq, t.position, d.event_seq, t.sender,
        t.event_type, t.payload_hash, t.outcome, t.state_before, t.state_after, t.detail, t.reply, t.duration_micros, d.def_hash, $2
      from ${rows} join done d using (n)`,
  },
  consumed: {
    // The whole key comes from `t`, so that the whole index is used, not a part of it.
    columns: { n: 'int4', shard: 'int2', priority: 'int2', mail_id: 'int8' },
    sql: (rows) => `delete from mailbox m using ${rows} join done d using (n)
      where m.shard = t.shard and m.priority = t.priority and m.mail_id = t.mail_id
        and m.project = d.project and m.address = d.address`,
  },
  outgoing: {
    columns: {
      n: 'int4',
      mail_id: 'int8',
      address: 'text',
      message_id: 'text',
      shard: 'int2',
      priority: 'int2',
      envelope: 'json',
    },
    sql: (
      rows,
    ) => `insert into mailbox (mail_id, project, address, message_id, is_outside, shard, priority, payload_hash, envelope)
      select t.mail_id, d.project, t.address, t.message_id, false, t.shard, t.priority, '', t.envelope
      from ${rows} join done d using (n)`,
  },
  timersDeleted: {
    columns: { n: 'int4', timer_id: 'text' },
    sql: (rows) => `delete from timer x using ${rows} join done d using (n)
      where x.project = d.project and x.address = d.address and x.timer_id = t.timer_id`,
  },
  timersSet: {
    columns: { n: 'int4', timer_id: 'text', occurrence: 'int8', due_at_ms: 'int8', event: 'json' },
    sql: (rows) => `insert into timer (project, address, timer_id, shard, occurrence, due_at_ms, event)
      select d.project, d.address, t.timer_id, d.shard, t.occurrence, t.due_at_ms, t.event
      from ${rows} join done d using (n)
      on conflict (project, address, timer_id) do update
        set occurrence = excluded.occurrence, due_at_ms = excluded.due_at_ms, event = excluded.event`,
  },
  effectsDeleted: {
    columns: { n: 'int4', effect_id: 'text' },
    sql: (rows) => `delete from effect x using ${rows} join done d using (n)
      where x.project = d.project and x.address = d.address and x.effect_id = t.effect_id`,
  },
  effectsAdded: {
    columns: {
      n: 'int4',
      effect_id: 'text',
      invoke_id: 'text',
      src: 'text',
      class: 'text',
      input: 'json',
      state: 'text',
      attempt: 'int4',
      not_before_ms: 'int8',
      fence_scope: 'text',
      fence_generation: 'int8',
    },
    sql: (
      rows,
    ) => `insert into effect (project, address, effect_id, shard, invoke_id, src, class, input, state, attempt,
        not_before_ms, fence_scope, fence_generation)
      select d.project, d.address, t.effect_id, d.shard, t.invoke_id, t.src, t.class, t.input, t.state, t.attempt,
        t.not_before_ms, t.fence_scope, t.fence_generation
      from ${rows} join done d using (n)`,
  },
  published: {
    columns: { n: 'int4', stream: 'text', seq: 'int8', type: 'text', data: 'json' },
    sql: (rows) => `insert into stream_event (project, stream, seq, type, data)
      select d.project, t.stream, t.seq, t.type, t.data from ${rows} join done d using (n)`,
  },
  quarantined: { columns: setAsideColumns(), sql: (rows) => setAsideSql('quarantine', rows) },
  deadLetters: { columns: setAsideColumns(), sql: (rows) => setAsideSql('dead_letter', rows) },
};

function setAsideColumns(): Part['columns'] {
  return { n: 'int4', message_id: 'text', envelope: 'json', reason: 'text' };
}

function setAsideSql(table: string, rows: string): string {
  return `insert into ${table} (project, address, message_id, envelope, reason, commit_id)
    select d.project, d.address, t.message_id, t.envelope, t.reason, $2 from ${rows} join done d using (n)`;
}

/** Rows of a domain table. Names come from the registry alone, never from data. */
export function writePartOf(name: string): Part {
  const [, tableName = '', columnList = ''] = name.split(':');
  const table = domainTables.get(tableName);
  if (table === undefined) throw new TypeError(`no domain table ${tableName}`);
  const columns = columnList.split(',');
  const key = ['project', ...table.key];
  const isReplaced = table.conflict === 'replace';
  const changed = columns.filter((column) => !key.includes(column));
  const action =
    isReplaced && changed.length > 0
      ? `do update set ${changed.map((column) => `"${column}" = excluded."${column}"`).join(', ')}`
      : 'do nothing';
  // A statement may replace a row once only: of several rows with one key the last counts.
  const keyOfRow = ['d.project', ...table.key.map((column) => `t."${column}"`)].join(', ');
  const quoted = columns.map((column) => `"${column}"`);
  return {
    columns: { n: 'int4', ...Object.fromEntries(columns.map((column) => [column, table.types[column] ?? 'text'])) },
    sql: (rows) => `insert into "${tableName}" (project, ${quoted.join(', ')})
      select ${isReplaced ? `distinct on (${keyOfRow})` : ''} d.project, ${quoted.map((column) => `t.${column}`).join(', ')}
      from ${rows} join done d using (n)
      order by ${isReplaced ? `${keyOfRow}, t.row_number desc` : 't.row_number'}
      on conflict (${key.map((column) => `"${column}"`).join(', ')}) ${action}`,
  };
}
