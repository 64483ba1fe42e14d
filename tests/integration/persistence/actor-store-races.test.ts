import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PlatformError } from '#contracts/errors.ts';
import { createPostgresActorStore, type PostgresActorStore } from '#persistence/stores/actor-store.ts';
import { createTestDatabase, onEveryServer, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { entryOf, mailOf, transitionOf } from '#tests/support/suites/store-builders.ts';
import { Corner } from '#tests/support/suites/store-subject.ts';

let database: TestDatabase;
let store: PostgresActorStore;
/** A second session, with which the tests hold locks and look at who waits. */
let session: pg.Client;
let watcher: pg.Client;

const corner = (): Promise<Corner> =>
  new Corner({
    store,
    readRows: () => Promise.resolve([]),
    readSetAside: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  }).take();

/** Resolves when this many statements of this database wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  const text = `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect
    .poll(async () => (await watcher.query<{ waiting: number }>(text)).rows[0]?.waiting, { timeout: 10_000 })
    .toBe(count);
}

onEveryServer('AS2', (server) =>
  describe(`ActorStore on ${server.name}: two at one instant`, () => {
    beforeAll(async () => {
      database = await createTestDatabase({ server });
      store = createPostgresActorStore({ connection: database.connection });
      session = new pg.Client(database.connection);
      watcher = new pg.Client(database.connection);
      await Promise.all([session.connect(), watcher.connect()]);
    });
    afterEach(async () => {
      await session.query('rollback');
    });
    afterAll(async () => {
      await Promise.all([session.end(), watcher.end(), store.close()]);
      await database.drop();
    });

    it('[AS2] a takeover waits for the commit in flight and then sees what it wrote', async () => {
      const at = await corner();
      const address = 'note/one';
      await at.commit(at.entry({ address }));
      await session.query('begin');
      await session.query('select from actor where project = $1 and address = $2 for update', [at.project, address]);
      const commit = at.commit(at.entry({ address, expectedSeq: 1, snapshot: { value: 'last words' } }));
      await untilWaiting(1);
      let tookOver = false;
      const takeover = at.takeAs('successor').finally(() => (tookOver = true));
      await untilWaiting(2);
      expect(tookOver).toBe(false);
      await session.query('rollback');
      expect(await commit).toEqual(['committed']);
      expect(await takeover).toBe(at.epoch + 1);
      const [loaded] = await store.loadActors(at.project, [address]);
      expect(loaded?.row).toMatchObject({ seq: 2, snapshot: { value: 'last words' } });
    });

    it('[AS2] a zombie that waited behind a takeover lands nothing', async () => {
      const at = await corner();
      await session.query('begin');
      await session.query(`update shard_lease set owner = 'successor', epoch = epoch + 1 where shard = $1`, [at.shard]);
      const zombie = at.commit(at.entry({ address: 'note/one' }));
      await untilWaiting(1);
      await session.query('commit');
      expect(await zombie).toEqual(['lost_lease']);
      expect(await store.loadActors(at.project, ['note/one'])).toEqual([]);
    });

    it('[AS2] a commit that waited behind the closing of its fence lands nothing, its neighbour lands', async () => {
      const at = await corner();
      const scope = `${at.project}/fence`;
      await at.commit(at.entry({ address: 'task/one', fencesSet: [{ scope, generation: 1, open: true }] }));
      await session.query('begin');
      await session.query('update fence set generation = 2, open = false where scope = $1', [scope]);
      const batch = at.commit(
        at.entry({ address: 'note/fenced', requires: { scope, generation: 1 } }),
        at.entry({ address: 'note/free' }),
      );
      await untilWaiting(1);
      await session.query('commit');
      expect(await batch).toEqual(['fence_moved', 'committed']);
    });

    it('[AS2] closing a fence waits for the commit in flight that requires it', async () => {
      const at = await corner();
      const scope = `${at.project}/fence`;
      await at.commit(
        at.entry({ address: 'task/one', fencesSet: [{ scope, generation: 1, open: true }] }),
        at.entry({ address: 'note/one' }),
      );
      await session.query('begin');
      await session.query(`select from actor where project = $1 and address = 'note/one' for update`, [at.project]);
      const work = at.commit(at.entry({ address: 'note/one', expectedSeq: 1, requires: { scope, generation: 1 } }));
      await untilWaiting(1);
      const close = at.commit(
        at.entry({ address: 'task/one', expectedSeq: 1, fencesSet: [{ scope, generation: 2, open: false }] }),
      );
      await untilWaiting(2);
      await session.query('rollback');
      expect(await work).toEqual(['committed']);
      expect(await close).toEqual(['committed']);
    });

    it('[AS4] a message posted again while it is being consumed is not accepted twice', async () => {
      const at = await corner();
      const mail = mailOf({ project: at.project, to: 'note/one', id: 'again', shard: at.shard });
      await store.post([mail]);
      await session.query('begin');
      await session.query('delete from mailbox where project = $1', [at.project]);
      const repeated = store.post([mail]);
      await untilWaiting(1);
      await session.query(
        `insert into transition_log (project, address, message_id, seq, position, event_seq, sender, event_type, payload_hash,
        outcome, state_before, state_after, detail, reply, duration_micros, def_hash, commit_id, is_outside) select project, 'note/one', $3, 1, 0, 0, 'http', 't', $2, 'handled', 'null', 'null', 'null', 'null',
        0, 'd', 'c', true from (values ($1)) as v (project)`,
        [at.project, mail.payloadHash, mail.envelope.messageId],
      );
      await session.query('commit');
      expect(await repeated).toEqual([{ verdict: 'duplicate', mailId: 0 }]);
      const rows = await store.loadMail([at.shard], { total: 99, perActor: 99 });
      expect(rows.filter((row) => row.envelope.project === at.project)).toEqual([]);
    });

    it('[AS1] a row the database cannot hold is request.invalid, applies nothing, and strands no other', async () => {
      const at = await corner();
      const bad = at.entry({ address: 'note/bad', writes: [{ table: 'task', row: { id: 'tsk_1' } }] });
      const good = at.entry({ address: 'note/good' });
      const unknown = at.entry({ address: 'note/bad', writes: [{ table: 'actor', row: { id: '1' } }] });
      await expect(at.commit(good, bad)).rejects.toThrow(/request.invalid/);
      await expect(at.commit(good, unknown)).rejects.toThrow(/no domain table actor/);
      expect(await at.seqOf('note/good')).toBe(0);
      expect(await at.commit(good)).toEqual(['committed']);
    });

    it('[AS1] a connection lost during a commit is commit.unknown; the store goes on with a new one', async () => {
      const at = await corner();
      await at.commit(at.entry({ address: 'note/one' }));
      await session.query('begin');
      await session.query('select from actor where project = $1 for update', [at.project]);
      const commit = at.commit(at.entry({ address: 'note/one', expectedSeq: 1 }));
      const outcome = commit.catch((error: unknown) => (error instanceof PlatformError ? error.failure.code : error));
      await untilWaiting(1);
      await watcher.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(await outcome).toBe('commit.unknown');
      await session.query('rollback');
      expect(await at.takeAs(at.worker)).toBe(at.epoch + 1);
      expect(await at.seqOf('note/one')).toBe(1);
    });

    it('[AS1] creates 10,000 actors in batches, and finds the last of them', async () => {
      const at = await corner();
      const batches = Array.from({ length: 40 }, (_, b) =>
        Array.from({ length: 250 }, (_unused, n) =>
          entryOf({
            project: at.project,
            address: `note/n${b * 250 + n}`,
            shard: at.shard,
            epoch: at.epoch,
            transitions: [transitionOf({ messageId: `create ${n}` })],
          }),
        ),
      );
      const startedAtMs = performance.now();
      for (const batch of batches) await at.commit(...batch);
      const tookMs = performance.now() - startedAtMs;
      console.log(`10,000 actors created in ${Math.round(tookMs)} ms`);
      expect(await at.seqOf('note/n9999')).toBe(1);
      // The goal is 1.5 s on a quiet machine; this bound only catches a plan that scans.
      expect(tookMs).toBeLessThan(15_000);
    });
  }),
);
