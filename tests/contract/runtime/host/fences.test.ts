import { describe, expect, it } from 'vitest';
import { createHarness, type HarnessOptions } from '#tests/support/harness/harness.ts';
import { bossActor, jobActor } from '#tests/support/harness/sample-actors.ts';

async function running(options: Partial<HarnessOptions> = {}) {
  const signals: AbortSignal[] = [];
  const ports = {
    fetch: (_input: unknown, fx: { signal: AbortSignal }) => {
      signals.push(fx.signal);
      return new Promise(() => {});
    },
  };
  const harness = createHarness({ actors: [jobActor, bossActor], ports, ...options });
  await harness.start();
  await harness.create('boss/b', { id: 'b' });
  await harness.send({ to: 'boss/b', event: { type: 'boss.start', children: ['c1', 'c2'] } as never });
  return { harness, signals };
}

const stop = { to: 'boss/b', event: { type: 'boss.stop' }, priority: 'operator' as const };
const fencedChildren = (harness: Awaited<ReturnType<typeof running>>['harness']) =>
  harness.context<{ fenced: string[] }>('boss/b').fenced.toSorted();

describe('fences', () => {
  it('[FN-01] children carry the fence they were spawned with', async () => {
    const { harness } = await running();
    expect(harness.cell('job/c1')?.row?.fence).toEqual({ scope: 'b', generation: 1 });
    await harness.send({ to: 'job/c1', event: { type: 'job.tick' } });
    expect(harness.context<{ ticks: number }>('job/c1').ticks).toBe(1);
  });

  it('[FN-02] when it moves, every child in memory ends as fenced, loses its work and its parent hears of it', async () => {
    const { harness, signals } = await running();
    await harness.send({ to: 'job/c1', event: { type: 'job.fetch' } });
    await harness.send({ to: 'job/c2', event: { type: 'job.wait' } });
    await harness.ask(stop);
    expect(harness.status('job/c1')).toBe('fenced');
    expect(harness.status('job/c2')).toBe('fenced');
    expect(signals[0]?.aborted).toBe(true);
    expect(harness.cell('job/c1')?.effects.size).toBe(0);
    expect(harness.cell('job/c2')?.timers.size).toBe(0);
    expect(fencedChildren(harness)).toEqual(['job/c1', 'job/c2']);
  });

  it('[FN-03] a message that was under way when the fence moved goes to quarantine with its output', async () => {
    const { harness } = await running();
    harness.store.tables.fences.set('b', { scope: 'b', generation: 2, open: false });
    const answer = await harness.ask({ to: 'job/c1', event: { type: 'job.tick' } });
    expect(answer).toMatchObject({ outcome: 'quarantined', reply: { code: 'commit.fence_moved' } });
    expect(harness.quarantine).toMatchObject([{ address: 'job/c1' }]);
    expect(harness.events('job/c1')).toEqual([]);
    expect(harness.writes('job')).toEqual([]);
    expect(harness.state('job/c1')).toBe('idle');
    expect(fencedChildren(harness)).toEqual(['job/c1']);
  });

  it('[FN-04] mail of a fenced actor is quarantined for good', async () => {
    const { harness } = await running();
    await harness.ask(stop);
    await harness.send({ to: 'job/c1', event: { type: 'job.tick' } });
    expect(harness.outcomes('job/c1').at(-1)).toBe('job.tick:quarantined');
  });

  it('[FN-05] an effect whose fence moved before its dispatch is never sent', async () => {
    const { harness, signals } = await running();
    harness.process().onCall = (call) => {
      if (call === 'dispatchEffect') {
        harness.store.tables.fences.set('b', { scope: 'b', generation: 2, open: false });
      }
      return null;
    };
    await harness.send({ to: 'job/c1', event: { type: 'job.fetch' } });
    expect(signals).toEqual([]);
    expect(harness.status('job/c1')).toBe('fenced');
  });

  it('[FN-06] a child that was born too late is fenced at birth', async () => {
    const { harness } = await running();
    harness.store.tables.fences.set('b', { scope: 'b', generation: 2, open: false });
    await harness.inject({
      from: 'boss/b',
      to: 'job/late',
      event: { type: 'runtime.create' },
      create: { input: { name: 'late' }, fence: { scope: 'b', generation: '1' } },
    });
    expect(harness.status('job/late')).toBe('fenced');
    expect(fencedChildren(harness)).toContain('job/late');
  });

  it('[FN-07] the rest of the batch lands when one fence moved', async () => {
    const { harness } = await running();
    await harness.create('job/free', { name: 'free' });
    harness.store.tables.fences.set('b', { scope: 'b', generation: 2, open: false });
    harness.freeze();
    await harness.inject({ from: 'x/y', to: 'job/c1', event: { type: 'job.tick' } });
    await harness.inject({ from: 'x/y', to: 'job/free', event: { type: 'job.tick' } });
    await harness.thaw();
    expect(harness.status('job/c1')).toBe('fenced');
    expect(harness.context<{ ticks: number }>('job/free').ticks).toBe(1);
  });

  it('[FN-08] a fence of a lower generation never replaces a higher one', async () => {
    const { harness } = await running();
    await harness.ask(stop);
    expect(harness.store.tables.fences.get('b')).toEqual({ scope: 'b', generation: 2, open: false });
    await harness.redeliver('boss/b');
    expect(harness.store.tables.fences.get('b')).toEqual({ scope: 'b', generation: 2, open: false });
  });

  it('[FN-09] with all hints lost the fence still holds when the child is next touched', async () => {
    const { harness } = await running();
    harness.drop();
    const stopped = harness.ask(stop);
    await harness.advance(2000);
    await stopped;
    expect(harness.status('job/c1')).toBe('active');
    await harness.inject({ from: 'boss/b', to: 'job/c1', event: { type: 'job.cancel' } });
    await harness.advance(4000);
    expect(harness.status('job/c1')).toBe('fenced');
    expect(fencedChildren(harness)).toEqual(['job/c1']);
  });
});
