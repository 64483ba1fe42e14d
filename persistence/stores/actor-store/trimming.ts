import type { ActorStore } from '#contracts/ports/actor-store.ts';
import type { StatementPool } from '../../pools.ts';
import { arrayLiteral } from '../sql-values.ts';

// What a zombie trims would be its successor's: the leases are locked as a commit locks them.
const HELD = `held as materialized (select s.shard from shard_lease s
    join unnest($2::int2[], $3::int8[]) as t (shard, epoch) on t.shard = s.shard and t.epoch = s.epoch
    where s.owner = $1 order by s.shard for share of s)`;

const CUTOFF = `clock_timestamp() - $4::float8 * interval '1 millisecond'`;

// Rows of messages from outside keep their id, hash, outcome and reply: those are remembered for ever.
const TRIM = `with ${HELD},
  old as materialized (select l.ctid as place, l.is_outside from transition_log l
    join actor a on a.project = l.project and a.address = l.address join held using (shard)
    where l.at < ${CUTOFF} and l.seq > 0 and not (l.is_outside and l.detail::text = 'null') limit $5),
  gone as (delete from transition_log l using old where l.ctid = old.place and not old.is_outside returning 1),
  thinned as (update transition_log l set state_before = 'null', state_after = 'null', detail = 'null'
    from old where l.ctid = old.place and old.is_outside returning 1),
  past as materialized (select e.ctid as place from stream_event e
    join actor a on a.project = e.project and a.address = replace(e.stream, ':', '/') join held using (shard)
    where e.at < ${CUTOFF} and a.status <> 'active' limit $5),
  told as (delete from stream_event e using past where e.ctid = past.place returning 1)
  select (select count(*) from gone) + (select count(*) from thinned) + (select count(*) from told) as trimmed`;

export function trimMethod(writers: StatementPool): ActorStore['trim'] {
  return async (owner, leases, olderThanMs, limit) => {
    const shards = arrayLiteral(leases.map(({ shard }) => shard));
    const epochs = arrayLiteral(leases.map(({ epoch }) => epoch));
    const values = [owner, shards, epochs, olderThanMs, limit];
    const rows = await writers.run<{ trimmed: number }>({ name: 'trim', text: TRIM, values });
    return rows[0]?.trimmed ?? 0;
  };
}
