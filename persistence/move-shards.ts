// Moving stored addresses to other shards
//
// Owns:     every row that carries a shard, while a migration runs.
// Owns not: the rule (contracts/shards.ts), the leases.
//
//   PG14  After it each stored shard is the one that the rule computes; rows that were right stay as they are.
//   PG15  It is refused while a worker lives: one that computes by the old rule would send mail to where nobody reads it.

import { fail } from '#contracts/errors.ts';
import { shardOf, type Pool } from '#contracts/shards.ts';
import { arrayLiteral } from './stores/sql-values.ts';

const ADDRESSES_AT_ONCE = 5_000;
const TABLES = ['actor', 'mailbox', 'timer', 'effect'] as const;
/** A worker that was killed just before is dead after this. */
const DEAD_AFTER_S = 4;

type Address = { readonly project: string; readonly address: string };
type Execute = (text: string, parameters: unknown[]) => Promise<object>;

/** Call it inside a transaction. */
export async function moveShards(execute: Execute, poolOf: (address: string) => Pool): Promise<void> {
  await refuseLiveWorkers(execute);
  await execute(
    `create temporary table moved_address (project text collate "C", address text collate "C", shard smallint,
      primary key (project, address)) on commit drop`,
    [],
  );
  const union = TABLES.map((table) => `select project, address from ${table}`).join(' union ');
  await execute(`declare stored_address no scroll cursor for ${union}`, []);
  for (;;) {
    const batch = (await execute(`fetch ${ADDRESSES_AT_ONCE} from stored_address`, [])) as readonly Address[];
    if (batch.length === 0) break;
    await execute(`insert into moved_address select * from unnest(?::text[], ?::text[], ?::int2[])`, [
      arrayLiteral(batch.map(({ project }) => project)),
      arrayLiteral(batch.map(({ address }) => address)),
      arrayLiteral(batch.map(({ project, address }) => shardOf(project, address, poolOf(address)))),
    ]);
  }
  await execute('close stored_address', []);
  for (const table of TABLES) {
    await execute(
      `update ${table} t set shard = m.shard from moved_address m
        where t.project = m.project and t.address = m.address and t.shard <> m.shard`,
      [],
    );
  }
  await execute('drop table moved_address', []);
}

async function refuseLiveWorkers(execute: Execute): Promise<void> {
  const age = `clock_timestamp() - interval '${DEAD_AFTER_S} seconds'`;
  // Of workers that just ended this waits for the death; of one that lives the beat is younger after the wait.
  const wait = `select pg_sleep(${DEAD_AFTER_S + 1}) from worker where beat_at > ${age} limit 1`;
  await execute(wait, []);
  const live = (await execute(`select id from worker where beat_at > ${age} limit 1`, [])) as readonly object[];
  if (live.length === 0) return;
  fail(
    'config.invalid',
    'this version keeps actors in other shards than the one that runs on this database; stop every process of it, then start again',
  );
}
