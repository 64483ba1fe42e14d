import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shardOf } from '#contracts/shards.ts';
import { createPostgresActorStore, type PostgresActorStore } from '#persistence/stores/actor-store.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { createActorHost, type ActorHost } from '#runtime/host/actor-host.ts';
import { systemClock, systemRandomness } from '#runtime/main/system-time.ts';
import { listSourceFiles } from '#scripts/lint/source-files.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { CHAOS_ACTORS } from '#tests/support/workers/chaos-actors.ts';
import { outsideMail } from '#tests/support/workers/copied-actors.ts';

const HISTORY = 100_000;

let database: TestDatabase;
let store: PostgresActorStore;
let host: ActorHost;
let session: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  store = createPostgresActorStore({ connection: database.connection });
  session = new pg.Client(database.connection);
  await session.connect();
  host = createHost();
  await host.start();
});
afterAll(async () => {
  await host.stop();
  await Promise.all([store.close(), session.end()]);
  await database.drop();
});

function createHost(): ActorHost {
  return createActorHost({
    workerId: 'w',
    store,
    bus: createMemoryBus(),
    definitions: CHAOS_ACTORS,
    ports: {},
    clock: systemClock,
    randomness: systemRandomness,
    limits: { pollMs: 200 },
  });
}

let messages = 0;
function message(to: string, event: { type: string; [key: string]: unknown }) {
  messages += 1;
  return { project: 'p', from: 'http', to, messageId: `m${messages}`, event };
}
const birth = (to: string) =>
  host.client.ask({ ...message(to, { type: 'runtime.create' }), create: { input: {} } }, 10_000);
const add = (to: string, number: number) =>
  host.client.ask(message(to, { type: 'tally.add', sender: 'http', number }), 10_000);
const totalOf = async (to: string) => (await host.client.view('p', to))?.view as { total: number; disorder: number };

describe('rows that nobody expects', () => {
  it('[SV-02] garbage in the mailbox becomes dead letters, and the actors of its shard go on', async () => {
    await birth('tally/near');
    const shard = shardOf('p', 'tally/near');
    const garbage = [
      'null',
      '[]',
      '42',
      '"text"',
      '{}',
      '{"project":1,"to":{},"event":null}',
      '{"project":"p","to":"x","event":{"type":7}}',
      '{"project":"p","to":"tally/near","event":{"type":"tally.add"}}',
    ];
    const sql = `insert into mailbox (mail_id, project, address, message_id, is_outside, shard, priority, payload_hash, envelope)
      values ($1::bigint, 'p', 'tally/near', 'g' || $1, false, $2, 1, '', $3::json)`;
    const { first } = await store.reserveMailIds();
    for (const [index, text] of garbage.entries()) await session.query(sql, [first + index, shard, text]);
    await add('tally/near', 1);
    expect(await totalOf('tally/near')).toMatchObject({ total: 1 });
    const left = () => session.query('select from mailbox').then(({ rows }) => rows.length);
    await expect.poll(left).toBe(0);
    expect((await session.query('select from dead_letter')).rows).toHaveLength(garbage.length);
  });

  it('[MB-05] mail with a lower number that is committed later is taken too', async () => {
    await birth('tally/late');
    const { first } = await store.reserveMailIds();
    const { text, shard } = outsideMail('p', 'tally/late', 'unused', { type: 'tally.add', sender: 'a', number: 1 });
    const envelope = { ...(JSON.parse(text) as object), from: 'tally/near' };
    const insert = async (on: pg.Client, mailId: number, sender: string): Promise<void> => {
      const event = { type: 'tally.add', sender, number: 1 };
      const stored = JSON.stringify({ ...envelope, messageId: `s${mailId}`, event });
      await on.query(
        `insert into mailbox (mail_id, project, address, message_id, is_outside, shard, priority, payload_hash, envelope)
          values ($1::bigint, 'p', 'tally/late', 's' || $1, false, $2, 1, '', $3::json)`,
        [mailId, shard, stored],
      );
    };
    const other = new pg.Client(database.connection);
    await other.connect();
    try {
      await other.query('begin');
      await insert(other, first, 'early');
      await insert(session, first + 1, 'late');
      await expect.poll(() => totalOf('tally/late')).toMatchObject({ last: { late: 1 } });
      await other.query('commit');
      await expect.poll(() => totalOf('tally/late')).toMatchObject({ total: 2, disorder: 0, last: { early: 1 } });
    } finally {
      await other.end();
    }
  });

  it('[CM-09] no statement of the store, no function and no trigger notifies: that would make all commits wait for one lock', async () => {
    const files = listSourceFiles('.', /^persistence\/.*\.ts$/);
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((path) => /\bnotify\b/i.test(readFileSync(path, 'utf8')))).toEqual([]);
    const { rows: triggers } = await session.query(`select tgname from pg_trigger where not tgisinternal`);
    expect(triggers).toEqual([]);
    const { rows: functions } = await session.query(`select proname from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public'`);
    expect(functions).toEqual([]);
  });
});

describe('an actor with a long life', () => {
  it('[PS-05] wakes as quickly with 100,000 transitions and events behind it as with none', async () => {
    await Promise.all([birth('tally/old'), birth('tally/young')]);
    await session.query(
      `insert into transition_log (project, address, message_id, is_outside, seq, position, event_seq, sender, event_type, payload_hash,
        outcome, state_before, state_after, detail, reply, duration_micros, def_hash, commit_id)
      select 'p', 'tally/old', 'h' || n, true, n + 1, 0, n, 'http', 'tally.add', '', 'handled', '{}', '{}', '{}', 'null', 1, 'd', 'c'
      from generate_series(1, ${HISTORY}) n`,
    );
    await session.query(
      `insert into stream_event (project, stream, seq, type, data) select 'p', 'tally:old', n, 'tally.added', '{}'
      from generate_series(1, ${HISTORY}) n`,
    );
    await session.query(`update actor set seq = ${HISTORY + 1}, event_seq = ${HISTORY} where address = 'tally/old'`);
    const wakeMs = async (address: string, number: number): Promise<number> => {
      await host.stop();
      host = createHost();
      await host.start();
      await add('tally/near', number + 1);
      const startedMs = performance.now();
      await add(address, number);
      return performance.now() - startedMs;
    };
    const old: number[] = [];
    const young: number[] = [];
    for (let round = 1; round <= 5; round += 1) {
      old.push(await wakeMs('tally/old', round));
      young.push(await wakeMs('tally/young', round));
    }
    console.log(
      `woken after ${HISTORY} transitions in ${median(old).toFixed(1)} ms, after none in ${median(young).toFixed(1)} ms`,
    );
    expect(await totalOf('tally/old')).toMatchObject({ total: 5, disorder: 0 });
    expect(median(old)).toBeLessThan(median(young) * 3 + 20);
  });
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity;
}
