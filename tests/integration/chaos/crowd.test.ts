import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { copyActor, outsideMail } from '#tests/support/workers/copied-actors.ts';
import { Plant, PROJECT } from '#tests/support/workers/plant.ts';

/** More than twice what may be resident; YUNSOU_CROWD=200000 for the long run, which is the same work for longer. */
const CROWD = Number(process.env['YUNSOU_CROWD'] ?? 25_000);
const LIMIT_MS = 60_000 + CROWD * 3;
const RESIDENT_CAP = 10_000;
/** Besides, those may be in memory that still have to take their step: two readings ahead and one on its way. */
const AT_WORK = 3 * 1024;

vi.setConfig({ testTimeout: 2 * LIMIT_MS });

let database: TestDatabase;
let plant: Plant;
beforeEach(async () => {
  database = await createTestDatabase();
  plant = await Plant.open({
    connection: database.connection,
    limits: { residentActors: RESIDENT_CAP, checks: false },
  });
});
afterEach(async () => {
  await plant.close();
  await database.drop();
});

describe('a backlog for more actors than fit into memory', () => {
  it('[PS-01] [MB-15] a worker with a heap of 512 MB takes one message of each, and keeps no more in memory than its cap', async () => {
    const first = plant.boot('maker');
    await first.started();
    await plant.client.client.send({
      project: PROJECT,
      from: 'http',
      to: 'tally/original',
      messageId: 'birth',
      event: { type: 'runtime.create' },
      create: { input: {} },
    });
    await plant.until('it is born', async () => (await plant.query('select from actor')).length === 1);
    expect(await first.stop()).toBe(0);
    const addresses = Array.from({ length: CROWD }, (_unused, index) => `tally/n${index}`);
    const event = { type: 'tally.add', sender: 'http', number: 1, weight: 'x'.repeat(500) };
    for (let from = 0; from < CROWD; from += 2000) {
      const some = addresses.slice(from, from + 2000);
      await copyActor((sql, values) => plant.query(sql, values), PROJECT, 'tally/original', some);
      await plant.store.post(some.map((to) => outsideMail(PROJECT, to, `add ${to}`, event)));
    }
    const worker = plant.boot('a', { node: ['--max-old-space-size=512'] });
    await worker.started();
    let mostResidents = 0;
    const { signal, abort } = abortable();
    const watching = (async () => {
      while (!signal.aborted) mostResidents = Math.max(mostResidents, (await worker.stats()).residents);
    })();
    const startedMs = performance.now();
    const left = async (): Promise<number> => {
      const [row] = await plant.query<{ left: number }>('select count(*)::int as left from mailbox');
      return row?.left ?? CROWD;
    };
    await plant.until('all mail is taken', async () => (await left()) === 0, LIMIT_MS);
    abort();
    await watching;
    const seconds = (performance.now() - startedMs) / 1000;
    console.log(`${CROWD} actors took a message each in ${seconds.toFixed(1)} s, at most ${mostResidents} resident`);
    expect(worker.isGone).toBe(false);
    expect(mostResidents).toBeGreaterThan(RESIDENT_CAP / 2);
    expect(mostResidents).toBeLessThanOrEqual(RESIDENT_CAP + AT_WORK);
    const done = `select count(*)::int as n from actor where (snapshot->'state'->'context'->>'total')::int = 1`;
    expect(await plant.query(done)).toEqual([{ n: CROWD }]);
  });
});

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
