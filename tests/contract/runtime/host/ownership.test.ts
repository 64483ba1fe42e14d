import { describe, expect, it } from 'vitest';
import { failure, PlatformError } from '#contracts/errors.ts';
import type { StoreCall } from '#tests/support/harness/worker-process.ts';
import { createHarness, type Harness, type HarnessOptions } from '#tests/support/harness/harness.ts';
import { bossActor, jobActor, pageActor } from '#tests/support/harness/sample-actors.ts';

async function started(options: Partial<HarnessOptions> = {}): Promise<Harness> {
  const harness = createHarness({ actors: [jobActor, bossActor], ...options });
  await harness.start();
  return harness;
}

const ticks = (harness: Harness, address: string) => harness.context<{ ticks: number }>(address)?.ticks;
const owners = (harness: Harness) => new Set(harness.store.tables.leases.map((lease) => lease.owner));
const tick = { type: 'job.tick' };

describe('ownership', () => {
  it('[LS-01] live workers share the shards, and every shard has one owner', async () => {
    const harness = await started({ workers: 3 });
    await harness.advance(5000);
    const counts = [0, 1, 2].map((worker) => harness.host(worker).stats().shards);
    expect(counts.reduce((a, b) => a + b)).toBe(256);
    for (const count of counts) expect(count).toBeGreaterThan(40);
  });

  it('[LS-07] a worker runs the actors of its pools, and only those; a host without a pool runs none', async () => {
    const harness = createHarness({ actors: [jobActor, pageActor], workers: 3, pools: [[], ['main'], ['browser']] });
    await harness.start();
    expect([0, 1, 2].map((worker) => harness.host(worker).stats().shards)).toEqual([0, 224, 32]);
    await harness.create('job/a', { name: 'a' });
    await harness.create('page/a', { name: 'a' });
    await harness.send({ to: 'page/a', event: { type: 'job.tell', to: 'job/a', text: 'from there' } as never });
    expect(harness.context<{ heard: string[] }>('job/a').heard).toEqual(['from there']);
    expect(harness.cell('page/a')?.shard).toBeGreaterThanOrEqual(224);
    harness.kill(2);
    await harness.inject({ from: 'x/y', to: 'page/a', event: tick });
    await harness.advance(10_000);
    expect(ticks(harness, 'page/a')).toBe(0);
    await harness.restart(2);
    await harness.advance(3000);
    expect(ticks(harness, 'page/a')).toBe(1);
  });

  it('[LS-08] a worker that stops is succeeded with the next beats, without waiting for its death', async () => {
    const harness = await started({ workers: 2 });
    for (let index = 0; index < 10; index++) await harness.create(`job/n${index}`, { name: 'n' });
    const stopping = harness.host(0).stop();
    for (let index = 0; index < 10; index++) await harness.inject({ from: 'x/y', to: `job/n${index}`, event: tick });
    await harness.advance(1100);
    await stopping;
    expect([...owners(harness)]).toEqual(['worker-2']);
    for (let index = 0; index < 10; index++) expect(ticks(harness, `job/n${index}`)).toBe(1);
  });

  it('[LS-02] a dead worker loses its shards to the others, and its actors go on', async () => {
    const harness = await started({ workers: 2 });
    for (let index = 0; index < 20; index++) await harness.create(`job/n${index}`, { name: 'n' });
    harness.kill(1);
    for (let index = 0; index < 20; index++) await harness.inject({ from: 'x/y', to: `job/n${index}`, event: tick });
    await harness.advance(6000);
    expect([...owners(harness)]).toEqual(['worker-1']);
    for (let index = 0; index < 20; index++) expect(ticks(harness, `job/n${index}`)).toBe(1);
  });

  it('[LS-03] a zombie that wakes after a take-over commits nothing and starts no effect', async () => {
    const calls: string[] = [];
    const ports = {
      pay: (_input: unknown, fx: { effectId: string }) => {
        calls.push(fx.effectId);
        return new Promise(() => {});
      },
    };
    const harness = await started({ workers: 2, ports });
    await harness.create('job/z', { name: 'z' });
    const owner = harness.store.tables.leases[harness.cell('job/z')?.shard ?? 0]?.owner === 'worker-1' ? 0 : 1;
    harness.freeze(owner);
    await harness.inject({ from: 'x/y', to: 'job/z', event: { type: 'job.pay' } });
    await harness.advance(6000);
    expect(harness.state('job/z')).toBe('paying');
    expect(calls).toHaveLength(1);
    const seq = harness.cell('job/z')?.row?.seq;
    await harness.thaw(owner);
    await harness.advance(2000);
    expect(calls).toHaveLength(1);
    expect(harness.cell('job/z')?.row?.seq).toBe(seq);
  });

  it('[LS-04] a worker that joins gets its share by a hand-over that loses nothing', async () => {
    const harness = await started({ workers: 2 });
    harness.kill(1);
    await harness.advance(6000);
    for (let index = 0; index < 30; index++) await harness.create(`job/n${index}`, { name: 'n' });
    await harness.restart(1);
    for (let index = 0; index < 30; index++) await harness.inject({ from: 'x/y', to: `job/n${index}`, event: tick });
    await harness.advance(6000);
    expect(owners(harness).size).toBe(2);
    for (let index = 0; index < 30; index++) expect(ticks(harness, `job/n${index}`)).toBe(1);
  });

  it('[LS-05] actors on different workers talk to each other, also when hints are lost', async () => {
    const harness = await started({ workers: 2 });
    for (let index = 0; index < 10; index++) await harness.create(`job/n${index}`, { name: 'n' });
    harness.drop();
    for (let index = 0; index < 10; index++) {
      const event = { type: 'job.tell', to: `job/n${(index + 1) % 10}`, text: `from ${index}` } as never;
      await harness.inject({ from: 'x/y', to: `job/n${index}`, event });
    }
    await harness.advance(5000);
    for (let index = 0; index < 10; index++) {
      expect(harness.context<{ heard: string[] }>(`job/n${(index + 1) % 10}`).heard).toEqual([`from ${index}`]);
    }
  });

  it('[CM-02] an unanswered commit is settled by the stored commit id, whether it landed or not', async () => {
    for (const when of ['before', 'after'] as const) {
      const harness = await started();
      await harness.create('job/a', { name: 'a' });
      let commits = 0;
      harness.process().onCall = (call) => (call === 'commit' && commits++ === 0 ? when : null);
      await harness.send({ to: 'job/a', event: tick });
      await harness.advance(500);
      expect([when, ticks(harness, 'job/a')]).toEqual([when, 1]);
      expect(harness.events('job/a').map((event) => event.seq)).toEqual([1]);
      expect(harness.host().stats().unansweredCommits).toBe(1);
    }
  });

  it('[CM-03] while the store is away nothing starts, and work goes on by itself afterwards', async () => {
    const harness = await started();
    await harness.create('job/a', { name: 'a' });
    harness.cut(0, 'before');
    for (let index = 0; index < 5; index++) await harness.inject({ from: 'x/y', to: 'job/a', event: tick });
    await harness.advance(20_000);
    expect(ticks(harness, 'job/a')).toBe(0);
    harness.mend();
    await harness.advance(10_000);
    expect(ticks(harness, 'job/a')).toBe(5);
  });

  it('[CM-11] an actor whose commits fail again and again rests in between, and the others go on', async () => {
    const harness = await started();
    await harness.create('job/a', { name: 'a' });
    await harness.create('job/b', { name: 'b' });
    const { commit } = harness.store;
    let fails = 0;
    let isBroken = true;
    harness.store.commit = (owner, commitId, entries) => {
      if (!isBroken || !entries.some(({ address }) => address === 'job/a')) return commit(owner, commitId, entries);
      fails += 1;
      return Promise.reject(new PlatformError(failure('store.unavailable', 'a column is missing')));
    };
    await harness.restart();
    await harness.inject({ from: 'x/y', to: 'job/a', event: tick });
    await harness.advance(60_000);
    expect(fails).toBeGreaterThan(10);
    expect(fails).toBeLessThan(30);
    await harness.inject({ from: 'x/y', to: 'job/b', event: tick });
    expect(ticks(harness, 'job/b')).toBe(1);
    isBroken = false;
    await harness.advance(6000);
    expect(ticks(harness, 'job/a')).toBe(1);
  });

  it('[CM-04] a row that the store refuses for good gives up that message alone', async () => {
    const harness = await started();
    await harness.create('job/a', { name: 'a' });
    await harness.create('job/b', { name: 'b' });
    const { commit } = harness.store;
    harness.store.commit = (owner, commitId, entries) =>
      entries.some((entry) => entry.address === 'job/a' && entry.writes.length > 0)
        ? Promise.reject(refusal())
        : commit(owner, commitId, entries);
    await harness.restart();
    harness.freeze();
    await harness.inject({ from: 'x/y', to: 'job/a', event: tick });
    await harness.inject({ from: 'x/y', to: 'job/b', event: tick });
    await harness.thaw();
    expect(harness.outcomes('job/a').at(-1)).toBe('job.tick:poisoned');
    expect(ticks(harness, 'job/b')).toBe(1);
  });

  it('[CM-05] a kill before or after any store call loses and repeats nothing', async () => {
    for (const when of ['kill-before', 'kill-after'] as const) {
      for (let nth = 0; nth < 14; nth++) {
        const harness = await started({ ports: { pay: () => Promise.resolve({ receipt: 'r' }) } });
        await harness.create('job/a', { name: 'a' });
        await harness.create('job/b', { name: 'b' });
        let calls = 0;
        const counted: StoreCall[] = [];
        harness.process().onCall = (call) => {
          counted.push(call);
          return calls++ === nth ? when : null;
        };
        await harness.inject({
          from: 'x/y',
          to: 'job/a',
          event: { type: 'job.tell', to: 'job/b', text: 'hi' } as never,
        });
        await harness.inject({ from: 'x/y', to: 'job/a', event: tick });
        await harness.inject({ from: 'x/y', to: 'job/a', event: { type: 'job.pay' } });
        await harness.advance(2000);
        await harness.restart();
        await harness.advance(2000);
        const label = `${when} ${nth} ${counted.at(-1) ?? ''}`;
        expect([label, ticks(harness, 'job/a')]).toEqual([label, 1]);
        expect([label, harness.context<{ heard: string[] }>('job/b').heard]).toEqual([label, ['hi']]);
        expect([label, ['r', 'effect.unknown']]).toEqual([label, expect.arrayContaining([noteOf(harness)])]);
        expect(harness.cell('job/a')?.mail.size).toBe(0);
      }
    }
  });

  it('[UP-04] an actor of an unknown definition is parked with its mail and continues with code that can', async () => {
    const harness = await started();
    await harness.create('job/a', { name: 'a' });
    const row = harness.cell('job/a')?.row;
    harness.cell('job/a')!.row = { ...row!, defHash: 'another' };
    await harness.restart();
    await harness.inject({ from: 'x/y', to: 'job/a', event: tick });
    expect(harness.status('job/a')).toBe('needs_migration');
    expect(harness.cell('job/a')?.mail.size).toBe(1);
    harness.cell('job/a')!.row = { ...harness.cell('job/a')!.row!, defHash: row!.defHash };
    await harness.restart();
    await harness.runUntilIdle();
    expect(harness.status('job/a')).toBe('active');
    expect(ticks(harness, 'job/a')).toBe(1);
  });
});

const noteOf = (harness: Harness) => harness.context<{ note: string }>('job/a').note;

function refusal(): Error {
  return new PlatformError(failure('request.invalid', 'the row cannot be written'));
}
