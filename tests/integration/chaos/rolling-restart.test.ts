import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { Errands } from '#tests/support/workers/errands.ts';
import { Plant } from '#tests/support/workers/plant.ts';

vi.setConfig({ testTimeout: 60_000 });

const ALARMS = 1000;

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

describe('a rolling restart', () => {
  it('[TM-01] [TM-02] [LS-08] three workers are exchanged while 1,000 timers come due: each fires once', async () => {
    const old = await plant.start('a', 'b', 'c');
    await errands.hire('one', 3);
    const startedMs = performance.now();
    const span = 12_000;
    for (let first = 0; first < ALARMS; first += 50) {
      // all due at about the same spread of moments, however long it takes to set them
      const passedMs = performance.now() - startedMs;
      const delays = Array.from({ length: 50 }, (_unused, index) => ((first + index) * 7919) % span);
      const set = delays.map((dueMs, index) =>
        errands.setAlarm(`n${first + index}`, Math.max(0, Math.round(dueMs - passedMs))),
      );
      await Promise.all(set);
    }
    for (const [index, worker] of old.entries()) {
      const next = plant.boot(['d', 'e', 'f'][index] ?? '');
      await next.started();
      for (const name of errands.couriers) await errands.go(name, 5);
      const [{ fired } = { fired: ALARMS }] = await plant.query<{ fired: number }>(FIRED);
      expect(await worker.stop(), 'it ended by itself').toBe(0);
      expect(fired, 'timers were still to come').toBeLessThan(ALARMS);
      await plant.until('its shards have an owner', async () => (await plant.shardsOf(worker.id)).length === 0);
    }
    await plant.untilShared(['d', 'e', 'f']);
    await errands.check();
  });
});

const FIRED = `select count(*)::int as fired from actor where address like 'alarm/n%' and (snapshot->'state'->'context'->>'rings')::int > 0`;
