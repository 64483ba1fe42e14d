import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startChaosServer, type ChaosServer } from '#tests/support/workers/chaos-server.ts';
import { Errands } from '#tests/support/workers/errands.ts';
import { Plant } from '#tests/support/workers/plant.ts';

vi.setConfig({ testTimeout: 90_000 });

let server: ChaosServer;
let plant: Plant;
let errands: Errands;

async function open(settings: readonly string[] = []): Promise<void> {
  server = await startChaosServer(settings);
  plant = await Plant.open({ connection: server.connection });
  errands = new Errands(plant);
}

afterEach(async () => {
  await plant.close();
  await server.remove();
});

describe('a database server that goes away', () => {
  beforeEach(() => open());

  it('[CM-03] [CM-05] it is killed twice in the middle of work: work stops, goes on by itself, and nothing is lost', async () => {
    const workers = await plant.start('a', 'b');
    await errands.hire('one', 4);
    errands.startPump();
    for (let round = 1; round <= 2; round += 1) {
      const counts = await Promise.all(workers.map(async (worker) => (await worker.stats()).commits));
      await plant.until('both commit', async () => {
        const now = await Promise.all(workers.map(async (worker) => (await worker.stats()).commits));
        return now.every((commits, index) => commits > (counts[index] ?? 0) + 10);
      });
      // what `pg_ctl stop -m immediate` sends
      process.kill(server.pid(), 'SIGQUIT');
      await plant.until('it is started again', () => server.restarts() === round);
    }
    await errands.check();
    expect(errands.repeated, 'the client noticed').toBeGreaterThan(0);
    for (const worker of workers) {
      expect(worker.isGone).toBe(false);
      expect(worker.logged('heartbeat failed').length + worker.logged('commit not answered').length).toBeGreaterThan(0);
    }
  });
});

describe('a database server with too few connections', () => {
  beforeEach(() => open(['max_connections=20']));

  it('[LS-11] [LS-02] eight workers that start at once, of which three are killed, get all work done', async () => {
    // the client is there first; it needs connections of its own
    await errands.hire('one', 4);
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const workers = ids.map((id) => plant.boot(id));
    await Promise.all(workers.map((worker) => worker.started()));
    errands.startPump();
    await plant.until('connections are refused', () =>
      workers.some(({ log }) => log.some((line) => String(line['cause']).includes('too many clients'))),
    );
    await plant.until('somebody works', async () => (await plant.query('select from trace')).length > 50);
    for (const worker of workers.slice(0, 3)) await worker.kill();
    expect(workers.filter(({ isGone }) => isGone)).toHaveLength(3);
    await plant.until('all shards have living owners', async () => {
      const owners = await plant.query<{ owner: string | null }>('select distinct owner from shard_lease');
      return owners.every(({ owner }) => owner !== null && !['a', 'b', 'c'].includes(owner));
    });
    await errands.check();
  });
});
