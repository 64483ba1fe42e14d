import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startNatsServer } from '#tests/support/nats-server.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { Errands } from '#tests/support/workers/errands.ts';
import { Plant, QUICK } from '#tests/support/workers/plant.ts';

vi.setConfig({ testTimeout: 60_000 });

let database: TestDatabase;
let plant: Plant;
let errands: Errands;

async function open(natsUrl?: string): Promise<void> {
  plant = await Plant.open({ connection: database.connection, ...(natsUrl === undefined ? {} : { natsUrl }) });
  errands = new Errands(plant);
}

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await plant.close();
  await database.drop();
});

describe('a wire that breaks', () => {
  it('[MB-05] [LS-05] NATS is cut, hangs, is killed and comes back: it costs time, nothing else', async (context) => {
    const nats = await startNatsServer();
    await open(nats?.url);
    if (nats === null) return context.skip('the program nats-server is not installed');
    const proxy = await plant.proxyToNats();
    const a = plant.boot('a', { nats: proxy });
    const b = plant.boot('b');
    await Promise.all([a.started(), b.started()]);
    await plant.untilShared(['a', 'b']);
    await errands.hire('one', 6);
    errands.startPump();
    const untilBothWork = async (): Promise<void> => {
      const [beforeA, beforeB] = await Promise.all([a.stats(), b.stats()]);
      await plant.until('both commit', async () => {
        const [nowA, nowB] = await Promise.all([a.stats(), b.stats()]);
        return nowA.commits > beforeA.commits + 5 && nowB.commits > beforeB.commits + 5;
      });
    };
    expect(proxy.cut()).toBeGreaterThan(0);
    await plant.until('a noticed', () => a.logged('bus disconnect').length > 0);
    await untilBothWork();
    proxy.heal();
    await plant.until('a is back', () => a.logged('bus reconnect').length > 0);
    expect(proxy.hang()).toBeGreaterThan(0);
    await untilBothWork();
    proxy.heal();
    await nats.kill();
    await plant.until('b noticed', () => b.logged('bus disconnect').length > 0);
    await untilBothWork();
    const again = await startNatsServer(nats.port);
    expect(again?.port).toBe(nats.port);
    await plant.until('b is back', () => b.logged('bus reconnect').length > 0);
    await untilBothWork();
    await errands.check();
    await again?.stop();
  });

  it('[MB-05] [LS-05] with every hint between processes lost, a message on its way through three waits three polls at most', async () => {
    await open();
    await plant.start('a', 'b', 'c');
    await errands.hire('one', 12);
    await errands.check();
    for (const name of errands.couriers) await errands.go(name, 3);
    const startedMs = performance.now();
    await errands.check();
    // the client's message is found by a poll, the courier's by another, each up to 1.1 times the time between polls
    expect(performance.now() - startedMs).toBeLessThan(3 * 1.1 * QUICK.pollMs + 1500);
    const { rows } = await plant.pool.query<{ crossing: number }>(
      `select count(distinct s.owner)::int as crossing from actor a join shard_lease s using (shard)`,
    );
    expect(rows[0]?.crossing, 'the actors lived on several workers').toBeGreaterThan(1);
  });
});
