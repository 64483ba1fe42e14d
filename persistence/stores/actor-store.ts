// The ActorStore in PostgreSQL
//
// Owns:     its connections: two that write, two for effects, a few that read, one that beats.
// Owns not: the schema (migrations/), any decision of the runtime.
//
//   1  A commit is one autocommit statement: no transaction of ours is ever idle with locks in it.
//   2  Connections wait for nothing but the database: everything is serialised before one is taken.
//   3  A commit never waits behind the small statements of many effects.
//   4  A worker beats only with a connection of each kind: one that could beat and not write would keep its shards from
//      those who can. What it cannot complete it gives back.

import type { ActorStore } from '#contracts/ports/actor-store.ts';
import type { DatabaseConnection } from '../connection.ts';
import { StatementPool } from '../pools.ts';
import { loadActorsMethod } from './actor-store/actor-rows.ts';
import { commitEntries } from './actor-store/commit.ts';
import { leaseMethods } from './actor-store/leases.ts';
import { logReadingMethods } from './actor-store/log-reading.ts';
import { mailMethods } from './actor-store/mail.ts';
import { operatorMethods } from './actor-store/operators.ts';
import { readingMethods } from './actor-store/reading.ts';
import { timerAndEffectMethods } from './actor-store/timers-and-effects.ts';
import { trimMethod } from './actor-store/trimming.ts';

export type PostgresActorStoreOptions = {
  readonly connection: DatabaseConnection;
  /** Most waiting mail of one receiver; default 4096. */
  readonly maxMailPerActor?: number;
  readonly readerConnections?: number;
};

export type PostgresActorStore = ActorStore & { close(): Promise<void> };

// Planned once per statement shape; a plan made while the tables were empty must not become a scan when they are full.
const PLANNING = ['plan_cache_mode = force_generic_plan', 'enable_seqscan = off', 'jit = off'];

export function createPostgresActorStore(options: PostgresActorStoreOptions): PostgresActorStore {
  const { connection } = options;
  const writers = new StatementPool(connection, { max: 2, statementTimeoutMs: 15_000, settings: PLANNING });
  const effectWriters = new StatementPool(connection, { max: 2, statementTimeoutMs: 15_000, settings: PLANNING });
  const readers = new StatementPool(connection, {
    max: options.readerConnections ?? 3,
    statementTimeoutMs: 15_000,
    settings: PLANNING,
  });
  const control = new StatementPool(connection, { max: 1, statementTimeoutMs: 5_000 });
  const pools = [control, writers, effectWriters, readers];
  const leases = leaseMethods(control);
  return {
    ...leases,
    async beat(workerId, served) {
      await holdAll(pools);
      await leases.beat(workerId, served);
    },
    ...mailMethods({ writers, readers, mailboxCap: options.maxMailPerActor ?? 4096 }),
    ...timerAndEffectMethods(effectWriters, readers),
    ...readingMethods(readers),
    ...logReadingMethods(readers),
    ...operatorMethods(readers, writers),
    loadActors: loadActorsMethod(readers),
    trim: trimMethod(writers),
    commit: (owner, commitId, entries) => commitEntries(writers, { owner, commitId, entries }),
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

async function holdAll(pools: readonly StatementPool[]): Promise<void> {
  const held = await Promise.allSettled(pools.map((pool) => pool.hold()));
  const refused = held.find((result) => result.status === 'rejected');
  if (refused === undefined) return;
  await Promise.allSettled(pools.map((pool) => pool.letGo()));
  throw refused.reason;
}
