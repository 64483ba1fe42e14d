import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shardOf } from '#contracts/shards.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { Errands } from '#tests/support/workers/errands.ts';
import { Plant } from '#tests/support/workers/plant.ts';
import type { Worker } from '#tests/support/workers/worker.ts';

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

/** The first payment that falls to the worker. */
async function paymentOn(worker: Worker, prefix: string): Promise<string> {
  const shards = new Set(await plant.shardsOf(worker.id));
  for (let index = 0; ; index += 1) {
    if (shards.has(shardOf('p', `payment/${prefix}${index}`))) return `${prefix}${index}`;
  }
}

describe('workers that die, freeze or hang', () => {
  it('[CM-05] [LS-02] [MB-03] SIGKILL in the middle of work, twice: nothing is lost, repeated or out of order', async () => {
    await plant.start('a', 'b');
    await errands.hire('one', 4);
    await errands.hire('two', 4);
    errands.startPump();
    for (const [id, next] of [
      ['a', 'c'],
      ['b', 'd'],
    ] as const) {
      const victim = plant.workers.find((worker) => worker.id === id);
      const before = await plant.epochs();
      await plant.until('the victim commits', async () => ((await victim?.stats())?.committedEntries ?? 0) > 20);
      await victim?.kill();
      expect(victim?.isGone).toBe(true);
      plant.boot(next);
      await plant.untilTakenOver(id, before);
    }
    await errands.check();
    expect(plant.farEnd.calls.some(({ what }) => what === 'pay')).toBe(true);
    expect(plant.farEnd.calls.some(({ what }) => what === 'visit')).toBe(true);
  });

  it('[LS-03] [FX-08] an owner that was frozen before its commit, its dispatch, or its call does nothing after the take-over', async () => {
    const [a, b] = await plant.start('a', 'b');
    if (a === undefined || b === undefined) throw new Error('no workers');
    for (const point of ['before commit', 'before dispatchEffect', 'after dispatchEffect'] as const) {
      await a.stopAt(point);
      const before = await plant.epochs();
      await errands.pay(await paymentOn(a, `at-${point.replace(' ', '-')}-`));
      await a.untilFrozen();
      await plant.untilTakenOver('a', before);
      await plant.until('its successor has done the work', async () => {
        const sql = `select 1 from effect union all select 1 from mailbox`;
        return (await plant.query(sql)).length === 0;
      });
      a.thaw();
      await plant.untilShared(['a', 'b']);
    }
    const { answers } = await a.stats();
    expect(answers).toMatchObject({ 'commit lost_lease': 1, 'dispatchEffect lost_lease': 1 });
    await errands.check();
    const once = plant.farEnd.calls.filter(({ what }) => what === 'pay').map(({ worker }) => worker);
    expect(once, 'the third was dispatched and never sent').toEqual(['b', 'b']);
  });

  it('[LS-03] [FX-11] a result that comes back to a thawed owner goes nowhere; the far end was called once', async () => {
    const [a] = await plant.start('a', 'b');
    if (a === undefined) throw new Error('no worker');
    plant.farEnd.hold();
    await errands.pay(await paymentOn(a, 'slow'));
    await plant.until('the call arrived', () => plant.farEnd.calls.length === 1);
    const before = await plant.epochs();
    await a.freeze();
    await plant.untilTakenOver('a', before);
    await plant.until('the payment is given up', async () => (await plant.query('select from effect')).length === 0);
    plant.farEnd.release();
    a.thaw();
    await plant.untilShared(['a', 'b']);
    await errands.check();
    expect((await a.stats()).answers).not.toHaveProperty('completeEffect stored');
    expect(plant.farEnd.calls).toHaveLength(1);
  });

  it('[LS-02] [LS-03] an event loop that is blocked for longer than the lease holds no lock and loses its shards', async () => {
    const [a] = await plant.start('a', 'b');
    await errands.hire('one', 4);
    errands.startPump();
    await plant.until('it commits', async () => ((await a?.stats())?.committedEntries ?? 0) > 20);
    const before = await plant.epochs();
    await a?.block(3500);
    await plant.untilTakenOver('a', before);
    const open = `select state from pg_stat_activity where application_name = 'a' and xact_start is not null`;
    expect(await plant.query(open)).toEqual([]);
    const locks = `select l.* from pg_locks l join pg_stat_activity s using (pid) where s.application_name = 'a'`;
    expect(await plant.query(locks)).toEqual([]);
    await errands.check();
    await plant.untilShared(['a', 'b']);
  });
});
