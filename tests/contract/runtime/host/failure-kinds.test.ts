import { describe, expect, it } from 'vitest';
import { createHarness, type Harness, type HarnessOptions } from '#tests/support/harness/harness.ts';
import { jobActor } from '#tests/support/harness/sample-actors.ts';

async function started(options: Partial<HarnessOptions> = {}): Promise<Harness> {
  const harness = createHarness({ actors: [jobActor], ...options });
  await harness.start();
  return harness;
}

const tick = { type: 'job.tick' };
const ticks = (harness: Harness, address: string) => harness.context<{ ticks: number }>(address)?.ticks;

describe('a backlog for many actors', () => {
  it('[MB-15] while commits are slow it stays in the store, and all of it is taken afterwards', async () => {
    const harness = await started({ limits: { loadedMail: 100, queuedMessages: 300 } });
    for (let index = 0; index < 1000; index++) await harness.create(`job/n${index}`, { name: 'n' });
    const { commit } = harness.store;
    let answer = () => {};
    const slow = new Promise<void>((resolve) => (answer = resolve));
    let delayed = 0;
    harness.store.commit = async (...call) => {
      delayed += 1;
      await slow;
      return commit(...call);
    };
    await harness.restart();
    for (let index = 0; index < 1000; index++) await harness.inject({ from: 'x/y', to: `job/n${index}`, event: tick });
    await harness.advance(20_000);
    expect(delayed).toBeGreaterThan(0);
    expect(harness.host().stats().queuedMessages).toBeLessThanOrEqual(300);
    answer();
    await harness.advance(20_000);
    for (let index = 0; index < 1000; index++) expect(ticks(harness, `job/n${index}`)).toBe(1);
  });

  it('[MB-15] what one step sends to more actors than fit is left in the store and taken in order', async () => {
    const harness = await started({ limits: { loadedMail: 100, queuedMessages: 20, batchEntries: 4 } });
    await harness.create('job/a', { name: 'a' });
    await harness.create('job/b', { name: 'b' });
    let most = 0;
    harness.process().onCall = () => {
      most = Math.max(most, harness.host().stats().queuedMessages);
      return null;
    };
    const told = Array.from({ length: 200 }, (_unused, index) => `word ${index}`);
    harness.freeze();
    for (const text of told) {
      const event = { type: 'job.tell', to: 'job/b', text } as { type: string };
      await harness.inject({ from: 'x/y', to: 'job/a', event });
    }
    await harness.thaw();
    await harness.advance(30_000);
    expect(harness.context<{ heard: string[] }>('job/b').heard).toEqual(told);
    expect(most).toBeLessThanOrEqual(20 + 32);
  });

  it('[MB-15] operator mail comes in although memory is full', async () => {
    const harness = await started({ limits: { loadedMail: 20, queuedMessages: 20, writers: 99, batchEntries: 1 } });
    for (let index = 0; index < 60; index++) await harness.create(`job/n${index}`, { name: 'n' });
    await harness.create('job/urgent', { name: 'u' });
    const { commit } = harness.store;
    const slow = new Promise<never>(() => {});
    harness.store.commit = (...call) =>
      call[2].some(({ address }) => address === 'job/urgent') ? commit(...call) : slow;
    await harness.restart();
    for (let index = 0; index < 60; index++) await harness.inject({ from: 'x/y', to: `job/n${index}`, event: tick });
    await harness.advance(5000);
    await harness.inject({ from: 'http', to: 'job/urgent', event: tick, priority: 'operator' });
    await harness.advance(5000);
    expect(harness.host().stats().queuedMessages).toBe(20);
    expect(ticks(harness, 'job/urgent')).toBe(1);
  });
});

describe('mail that nobody here can take', () => {
  it('[MB-16] more of it than one reading holds strands no other mail', async () => {
    const harness = await started({ limits: { loadedMail: 10 } });
    await harness.create('job/a', { name: 'a' });
    harness.freeze();
    for (let index = 0; index < 50; index++) {
      await harness.inject({ from: 'x/y', to: `stranger/n${index}`, event: { type: 'stranger.come' } });
    }
    await harness.inject({ from: 'x/y', to: 'job/a', event: tick });
    await harness.thaw();
    await harness.advance(5000);
    expect(ticks(harness, 'job/a')).toBe(1);
    expect(harness.deadLetters).toEqual([]);
  });
});

describe('one that fails among many', () => {
  it('[SV-01] the seventh of 64 actors in one commit throws: the other 63 land with it', async () => {
    const harness = await started();
    for (let index = 0; index < 64; index++) await harness.create(`job/n${index}`, { name: 'n' });
    harness.freeze();
    for (let index = 0; index < 64; index++) {
      await harness.inject({ from: 'x/y', to: `job/n${index}`, event: index === 7 ? { type: 'job.explode' } : tick });
    }
    await harness.thaw();
    await harness.runUntilIdle();
    const counts = Array.from({ length: 64 }, (_unused, index) => ticks(harness, `job/n${index}`));
    expect(counts).toEqual(Array.from({ length: 64 }, (_unused, index) => (index === 7 ? 0 : 1)));
    expect(harness.outcomes('job/n7').at(-1)).toBe('job.explode:poisoned');
  });

  it('[FX-10] the dispatch of the seventh of 64 effects throws: all run, that one a moment later', async () => {
    const fetched: string[] = [];
    const fetch = (input: { url: string }) => {
      fetched.push(input.url);
      return Promise.resolve({ text: 'ok' });
    };
    const harness = await started({ ports: { fetch } });
    for (let index = 0; index < 64; index++) await harness.create(`job/n${index}`, { name: `n${index}` });
    let dispatches = 0;
    harness.process().onCall = (call) => (call === 'dispatchEffect' && (dispatches += 1) === 7 ? 'before' : null);
    harness.freeze();
    for (let index = 0; index < 64; index++) {
      await harness.inject({ from: 'x/y', to: `job/n${index}`, event: { type: 'job.fetch' } });
    }
    await harness.thaw();
    await harness.runUntilIdle();
    expect(fetched).toHaveLength(63);
    await harness.advance(1000);
    expect(dispatches).toBe(65);
    expect(new Set(fetched).size).toBe(64);
    for (let index = 0; index < 64; index++) expect(harness.state(`job/n${index}`)).toBe('idle');
  });

  it('[FX-05] [FX-13] effects that hang hold no place for ever: those behind them run, and they are tried again', async () => {
    let calls = 0;
    const fetch = () => {
      calls += 1;
      return calls <= 4 ? new Promise<never>(() => {}) : Promise.resolve({ text: 'ok' });
    };
    const harness = await started({ ports: { fetch }, limits: { runningEffects: 4 } });
    for (let index = 0; index < 8; index++) {
      await harness.create(`job/n${index}`, { name: 'n' });
      await harness.send({ to: `job/n${index}`, event: { type: 'job.fetch' } });
    }
    expect([calls, harness.host().stats().runningEffects]).toEqual([4, 4]);
    await harness.advance(12_000);
    expect(calls).toBe(12);
    for (let index = 0; index < 8; index++) expect(harness.context<{ note: string }>(`job/n${index}`).note).toBe('ok');
  });
});

describe('an actor that is at its limit', () => {
  it('[PS-02] a stop whose own snapshot is too large still commits', async () => {
    const harness = await started();
    await harness.create('job/a', { name: 'a' });
    await harness.send({ to: 'job/a', event: { type: 'job.note', text: 'x'.repeat(900_000) } as never });
    const more = { type: 'job.say', text: 'y'.repeat(300_000) } as { type: string };
    await harness.send({ to: 'job/a', event: more });
    expect(harness.outcomes('job/a').at(-1)).toBe('job.say:poisoned');
    await harness.send({ to: 'job/a', event: more, priority: 'operator' });
    expect(harness.outcomes('job/a').at(-1)).toBe('job.say:handled');
  });
});
