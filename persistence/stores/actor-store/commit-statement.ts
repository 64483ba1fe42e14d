// Commit statement
//
// The one SQL statement that lands a batch of steps.
// Owns:     its text, composed of the parts in use and kept by shape.
// Owns not: collecting values (commit-columns.ts), running it (commit.ts).
//
//   1  Locks are taken in one order: leases by shard, fences by scope, then rows. `for share` conflicts with a takeover
//      (an update), which therefore waits for the commit in flight, and a commit that waited re-reads the lease.
//   2  An entry is `done` when its lease and fence were held and its actor row was at the expected seq.
//   3  Every other part joins `done`.

import { createHash } from 'node:crypto';
import type { Statement } from '../../pools.ts';
import type { BinaryColumn } from '../binary-array.ts';
import { ENTRY, PART_ORDER, parts, REQUIRES, writePartOf, type Part } from './commit-parts.ts';

type Shape = { readonly name: string; readonly text: string };
const shapes = new Map<string, Shape>();

export type CommitRows = {
  readonly collected: ReadonlyMap<string, readonly BinaryColumn[]>;
  /** Whether some entry creates its actor. */
  readonly isNew: boolean;
  /** Whether some entry continues one. */
  readonly isOld: boolean;
};

/** Builds the statement for these rows; `owner` is $1, the commit id $2. Answers a row for each entry that did not land. */
export function commitStatement(owner: string, commitId: string, { collected, isNew, isOld }: CommitRows): Statement {
  const writes = [...collected.keys()].filter((name) => name.startsWith('write:')).toSorted();
  const names = ['entry', ...['requires', ...PART_ORDER].filter((name) => collected.has(name)), ...writes];
  const values: (string | Buffer)[] = [owner, commitId];
  for (const name of names) for (const column of collected.get(name) ?? []) values.push(column.take());
  const shape = shapeOf(names, isNew, isOld);
  return { name: shape.name, text: shape.text, values };
}

function shapeOf(names: readonly string[], isNew: boolean, isOld: boolean): Shape {
  const key = `${String(isNew)} ${String(isOld)} ${names.join(' ')}`;
  const known = shapes.get(key);
  if (known !== undefined) return known;
  const text = composeText(names, isNew, isOld);
  const shape = { name: `commit_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`, text };
  shapes.set(key, shape);
  return shape;
}

function composeText(names: readonly string[], isNew: boolean, isOld: boolean): string {
  let used = 2;
  const rowsOf = (columns: Part['columns'], ordinality = true): string => {
    const arrays = Object.values(columns).map((type) => `$${(used += 1)}::${type}[]`);
    const names = Object.keys(columns).map((name) => `"${name}"`);
    const ordinal = ordinality ? ['with ordinality', ', row_number'] : ['', ''];
    return `unnest(${arrays.join(', ')}) ${ordinal[0]} as t (${names.join(', ')}${ordinal[1]})`;
  };
  const ctes = [`i as materialized (select * from ${rowsOf(ENTRY, false)})`];
  ctes.push(`lease as materialized (select shard, epoch from shard_lease
    where owner = $1 and shard = any ($6::int2[]) order by shard for share)`);
  const isFenced = names.includes('requires');
  if (isFenced) {
    ctes.push(`required as materialized (select * from ${rowsOf(REQUIRES, false)})`);
    ctes.push(`held as materialized (select f.scope, f.generation from fence f
      where f.scope in (select scope from required) and f.open order by f.scope for share)`);
  }
  ctes.push(okCte(isFenced), ...actorCtes(isNew, isOld));
  for (const name of names.slice(isFenced ? 2 : 1)) {
    const part = name.startsWith('write:') ? writePartOf(name) : parts[name as keyof typeof parts];
    ctes.push(`p${ctes.length} as (${part.sql(rowsOf(part.columns))})`);
  }
  return `with ${ctes.join(',\n')}
    select i.n,
      exists (select from lease l where l.shard = i.shard and l.epoch = i.epoch) as has_lease,
      ${isFenced ? 'exists (select from ok where ok.n = i.n)' : 'true'} as has_fence,
      coalesce((select a.seq from actor a where a.project = i.project and a.address = i.address limit 1), 0) = i.expected as has_seq
    from i where i.n not in (select n from done)`;
}

function okCte(isFenced: boolean): string {
  const fence = `where not exists (select from required r where r.n = i.n and not exists
    (select from held h where h.scope = r.scope and h.generation = r.generation))`;
  return `ok as materialized (select i.* from i join lease l on l.shard = i.shard and l.epoch = i.epoch ${isFenced ? fence : ''})`;
}

function actorCtes(isNew: boolean, isOld: boolean): string[] {
  const columns = 'n, project, address, shard, epoch, seq, event_seq, def_hash';
  const ctes: string[] = [];
  if (isOld) {
    ctes.push(`updated as (update actor a set machine_version = ok.machine_version, def_hash = ok.def_hash, status = ok.status,
      seq = ok.expected + 1, event_seq = ok.event_seq, epoch = ok.epoch, last_commit_id = $2, snapshot = ok.snapshot,
      fence_scope = ok.fence_scope, fence_generation = ok.fence_generation
      from ok where ok.expected > 0 and a.project = ok.project and a.address = ok.address and a.seq = ok.expected
        and a.shard = ok.shard
      returning ok.n, ok.project, ok.address, ok.shard, ok.epoch, ok.expected + 1 as seq, ok.event_seq, ok.def_hash)`);
  }
  if (isNew) {
    ctes.push(`created as (insert into actor (project, address, shard, machine_version, def_hash, status, seq, event_seq, epoch,
      last_commit_id, snapshot, fence_scope, fence_generation)
      select project, address, shard, machine_version, def_hash, status, 1, event_seq, epoch, $2, snapshot, fence_scope,
        fence_generation from ok where ok.expected = 0
      on conflict (project, address) do nothing
      returning project, address)`);
  }
  const sources = [
    ...(isOld ? [`select ${columns} from updated`] : []),
    ...(isNew
      ? [
          `select ok.n, ok.project, ok.address, ok.shard, ok.epoch, 1::int8 as seq, ok.event_seq, ok.def_hash
          from created c join ok on ok.project = c.project and ok.address = c.address`,
        ]
      : []),
  ];
  return [...ctes, `done as materialized (${sources.join(' union all ')})`];
}
