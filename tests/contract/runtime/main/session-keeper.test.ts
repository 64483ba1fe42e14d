import { describe, expect, it } from 'vitest';
import { silentLogger } from '#contracts/ports/logger.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { createDistantSessions, SessionKeeper } from '#runtime/main/session-keeper.ts';
import { ManualClock } from '#tests/support/fakes/manual-clock.ts';
import { PageWorld } from '#tests/support/fakes/page-world.ts';
import { createHarness } from '#tests/support/harness/harness.ts';
import { jobActor } from '#tests/support/harness/sample-actors.ts';

const FENCE = { scope: 'task:t1', generation: 1 };
const contextActor = { ...jobActor, kind: 'browser-context', pool: 'browser' as const };
const signal = new AbortController().signal;

/** Sessions `one` and `two` of task `t1`, and `other` of `t2`, each with its actor; those of `t1` require a fence. */
async function opened() {
  const harness = createHarness({ actors: [contextActor] });
  const world = new PageWorld();
  const clock = new ManualClock();
  const bus = createMemoryBus();
  const keeper = new SessionKeeper({ browser: world.browser, store: harness.store, bus, clock, logger: silentLogger });
  await harness.start();
  await harness.setFence({ ...FENCE, open: true });
  const places = [
    ['one', 't1'],
    ['two', 't1'],
    ['other', 't2'],
  ] as const;
  for (const [sessionId, taskId] of places) {
    await harness.create(`browser-context/${sessionId}`, { name: 'n' }, taskId === 't1' ? FENCE : undefined);
    const request = { sessionId, taskId, project: 'p', owner: `work-item/${sessionId}`, locale: 'en' };
    await keeper.openSession(request, signal);
  }
  const isOpen = () => [...world.open.keys()];
  return { harness, clock, bus, keeper, isOpen };
}

describe('sessions of work that ended in another process', () => {
  it('[BS1] a stop that is heard closes the sessions of that task at once', async () => {
    const { bus, isOpen, keeper } = await opened();
    await createDistantSessions(bus).closeTask('t1');
    await expect.poll(isOpen).toEqual(['other']);
    await keeper.stop();
  });

  it('[BS2] unheard, the next look closes those whose fence moved, and leaves the others', async () => {
    const { harness, clock, isOpen, keeper } = await opened();
    clock.advance(2000);
    await harness.runUntilIdle();
    expect(isOpen()).toEqual(['one', 'two', 'other']);
    harness.store.tables.fences.set(FENCE.scope, { ...FENCE, generation: 2, open: true });
    clock.advance(2000);
    await expect.poll(isOpen).toEqual(['other']);
    await keeper.stop();
    expect(clock.waitingCount()).toBe(0);
  });

  it('[BS2] unheard, the next look closes those whose actor has ended', async () => {
    const { harness, clock, isOpen, keeper } = await opened();
    await harness.send({ to: 'browser-context/other', event: { type: 'job.finish' } });
    expect(harness.status('browser-context/other')).toBe('done');
    clock.advance(2000);
    await expect.poll(isOpen).toEqual(['one', 'two']);
    await keeper.stop();
  });
});
