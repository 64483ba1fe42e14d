import type { ActorStore, LiveWorker } from '#contracts/ports/actor-store.ts';
import type { StatementPool } from '../../pools.ts';
import { arrayLiteral } from '../sql-values.ts';

type Leases = Pick<ActorStore, 'beat' | 'liveWorkers' | 'acquireShards' | 'releaseShards' | 'leases'>;

const LIVE = `w.beat_at > clock_timestamp() - $1::float8 * interval '1 millisecond'`;

/** Beats have a connection of their own and never wait for commits. */
export function leaseMethods(control: StatementPool): Leases {
  return {
    async beat(workerId, pools) {
      const text = `with gone as (delete from worker where beat_at < clock_timestamp() - interval '1 day')
        insert into worker (id, beat_at, pools) values ($1, clock_timestamp(), $2)
        on conflict (id) do update set beat_at = excluded.beat_at, pools = excluded.pools`;
      await control.run({ name: 'lease_beat', text, values: [workerId, arrayLiteral(pools)] });
    },
    liveWorkers(deadAfterMs) {
      const text = `select id, pools from worker w where ${LIVE} order by id collate "C"`;
      return control.run<LiveWorker>({ name: 'lease_live', text, values: [deadAfterMs] });
    },
    acquireShards: (workerId, shards, deadAfterMs) =>
      control.run({
        name: 'lease_acquire',
        // Locked in shard order, as commits lock them; waits for commits in flight.
        text: `with takeable as materialized (
            select s.shard from shard_lease s
            where s.shard = any ($3::int2[]) and (s.owner is null or s.owner = $2
              or not exists (select from worker w where w.id = s.owner and ${LIVE}))
            order by s.shard for update),
          taken as (update shard_lease s set owner = $2, epoch = s.epoch + 1 from takeable t where s.shard = t.shard
            returning s.shard, s.epoch)
          select shard, epoch from taken order by shard`,
        values: [deadAfterMs, workerId, arrayLiteral(shards)],
      }),
    async releaseShards(workerId, leases) {
      const text = `with held as materialized (
          select s.shard from shard_lease s
          join unnest($2::int2[], $3::int8[]) as t (shard, epoch) on t.shard = s.shard and t.epoch = s.epoch
          where s.owner = $1 order by s.shard for update of s)
        update shard_lease s set owner = null from held h where s.shard = h.shard`;
      const values = [
        workerId,
        arrayLiteral(leases.map(({ shard }) => shard)),
        arrayLiteral(leases.map(({ epoch }) => epoch)),
      ];
      await control.run({ name: 'lease_release', text, values });
    },
    leases: () =>
      control.run({
        name: 'lease_all',
        text: 'select shard, epoch, owner from shard_lease order by shard',
        values: [],
      }),
  };
}
