import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { Errands } from '#tests/support/workers/errands.ts';
import { Plant } from '#tests/support/workers/plant.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Set before each exchange; due during and after it. */
const ALARMS = 350;
const SPAN_MS = 4000;

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
  it('[TM-01] [TM-02] [LS-08] three workers are exchanged while 1,050 timers come due: each fires once', async () => {
    const old = await plant.start('a', 'b', 'c');
    await errands.hire('one', 3);
    for (const [index, worker] of old.entries()) {
      const next = plant.boot(['d', 'e', 'f'][index] ?? '');
      await next.started();
      for (const name of errands.couriers) await errands.go(name, 5);
      for (let set = 0; set < ALARMS; set += 50) {
        const some = Array.from({ length: 50 }, (_unused, place) => set + place);
        await Promise.all(some.map((n) => errands.setAlarm(`n${index}-${n}`, ((n * 7919) % SPAN_MS) + 1000)));
      }
      const [{ fired } = { fired: 0 }] = await plant.query<{ fired: number }>(FIRED);
      expect(fired, 'timers are still to come').toBeLessThan(ALARMS * (index + 1));
      expect(await worker.stop(), 'it ended by itself').toBe(0);
      await plant.until('its shards have an owner', async () => (await plant.shardsOf(worker.id)).length === 0);
    }
    await plant.untilShared(['d', 'e', 'f']);
    await errands.check();
  });
});

const FIRED = `select count(*)::int as fired from actor where address like 'alarm/n%' and (snapshot->'state'->'context'->>'rings')::int > 0`;
