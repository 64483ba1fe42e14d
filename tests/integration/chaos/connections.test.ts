import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { Errands } from '#tests/support/workers/errands.ts';
import { Plant } from '#tests/support/workers/plant.ts';

/** The driver names the statement in the message that carries its values. */
const COMMIT = '\0commit_';

vi.setConfig({ testTimeout: 60_000 });

let database: TestDatabase;
let plant: Plant;
let errands: Errands;
beforeEach(async () => {
  database = await createTestDatabase();
  plant = await Plant.open({ connection: database.connection });
  errands = new Errands(plant);
});
afterEach(async () => {
  await plant.close();
  await database.drop();
});

type Unanswered = { readonly commitId: string };

describe('connections to the database that break', () => {
  it('[CM-02] a commit whose answer was lost has landed and is not repeated; one that never arrived is made again', async () => {
    const proxy = await plant.proxyToDatabase();
    const worker = plant.boot('a', { database: proxy });
    await worker.started();
    await plant.untilShared(['a']);
    await errands.hire('one', 2);
    await plant.until('all are born', async () => (await plant.query('select from actor')).length === 3);
    const isStored = async (index: number): Promise<boolean> => {
      const { commitId } = worker.logged('commit not answered')[index] as unknown as Unanswered;
      return (await plant.query('select from trace where commit_id = $1', [commitId])).length > 0;
    };
    for (const [index, loss] of (['answer', 'request', 'answer', 'request'] as const).entries()) {
      const epochs = await plant.epochs();
      const lost = proxy.lose(COMMIT, loss);
      await errands.go('one-0', 5);
      await lost;
      await plant.until('it is noticed', () => worker.logged('commit not answered').length === index + 1);
      await plant.until('it is settled', () => worker.logged('commit settled').length === index + 1);
      expect(await isStored(index), loss).toBe(loss === 'answer');
      const renewed = [...(await plant.epochs())].filter(
        ([shard, { epoch }]) => epoch > (epochs.get(shard)?.epoch ?? 0),
      );
      expect(renewed.length, 'it took its shards over from itself').toBeGreaterThan(0);
      expect(worker.logged('commit not answered')[index]?.['cause']).toMatch(/connection was lost during a commit/);
    }
    await errands.check();
    expect((await worker.stats()).unansweredCommits).toBe(4);
  });

  it('[CM-02] a server process that is terminated in the middle of a commit', async () => {
    const [worker] = await plant.start('a');
    if (worker === undefined) throw new Error('no worker');
    await errands.hire('one', 1);
    await plant.until('all are born', async () => (await plant.query('select from actor')).length === 2);
    const session = new pg.Client(database.connection);
    await session.connect();
    try {
      await session.query('begin');
      await session.query(`select from actor where address = 'courier/one-0' for update`);
      await errands.go('one-0', 3);
      const waiting = `select pid from pg_stat_activity where application_name = 'a' and wait_event_type = 'Lock'`;
      await plant.until('the commit waits', async () => (await plant.query(waiting)).length === 1);
      expect(await plant.terminateBackends(worker)).toBeGreaterThan(1);
      await plant.until('it is noticed', () => worker.logged('commit not answered').length === 1);
    } finally {
      await session.end();
    }
    await errands.check();
    expect((await worker.stats()).unansweredCommits).toBe(1);
  });

  it('[CM-03] [CM-05] [CM-10] sockets that are cut again and again in the middle of work', async () => {
    const proxies = [await plant.proxyToDatabase(), await plant.proxyToDatabase()] as const;
    const workers = [plant.boot('a', { database: proxies[0] }), plant.boot('b', { database: proxies[1] })];
    await Promise.all(workers.map((worker) => worker.started()));
    await plant.untilShared(['a', 'b']);
    await errands.hire('one', 4);
    errands.startPump();
    for (let round = 0; round < 6; round += 1) {
      const proxy = proxies[round % 2 === 0 ? 0 : 1];
      const worker = workers[round % 2];
      const { commits = 0 } = (await worker?.stats()) ?? {};
      await plant.until('it commits', async () => ((await worker?.stats())?.commits ?? 0) > commits + 5);
      expect(proxy.cutOnce(), 'connections that were cut').toBeGreaterThan(1);
    }
    await errands.check();
    const unanswered = await Promise.all(workers.map(async (worker) => (await worker.stats()).unansweredCommits));
    expect(Math.max(...unanswered), 'some were cut in the middle of a commit').toBeGreaterThan(0);
  });

  it('[LS-03] [CM-03] a worker in a black hole: another one takes over, and what arrives late lands nowhere', async () => {
    const proxy = await plant.proxyToDatabase();
    const [a] = [plant.boot('a', { database: proxy }), plant.boot('b')] as const;
    await Promise.all(plant.workers.map((worker) => worker.started()));
    await plant.untilShared(['a', 'b']);
    await errands.hire('one', 6);
    errands.startPump();
    await plant.until('it commits', async () => (await a.stats()).committedEntries > 20);
    const before = await plant.epochs();
    const { startedEffects } = await a.stats();
    expect(proxy.hang()).toBeGreaterThan(1);
    await plant.untilTakenOver('a', before);
    const during = await a.stats();
    expect(during.startedEffects - startedEffects, 'effects that were dispatched before').toBeLessThan(20);
    await plant.until('its successor works', async () => (await plant.query('select from trace')).length > 100);
    expect((await a.stats()).startedEffects, 'none starts after the lease').toBe(during.startedEffects);
    proxy.heal();
    await plant.untilShared(['a', 'b']);
    await errands.check();
  });
});
