import { describe, expect, it } from 'vitest';
import { failure, PlatformError } from '#contracts/errors.ts';
import { createHarness, type HarnessOptions } from '#tests/support/harness/harness.ts';
import { bossActor, jobActor, type SamplePorts } from '#tests/support/harness/sample-actors.ts';

type Call = { readonly effectId: string; readonly attempt: number; readonly signal: AbortSignal };

/** Ports whose calls end only when the test says so. */
function heldPorts() {
  const calls: Call[] = [];
  const ends: ((value: { text: string; receipt: string }) => void)[] = [];
  const hold = (_input: unknown, { effectId, attempt, signal }: Call) => {
    calls.push({ effectId, attempt, signal });
    return new Promise<{ text: string; receipt: string }>((resolve) => ends.push(resolve));
  };
  return { calls, ends, ports: { fetch: hold, pay: hold } satisfies SamplePorts };
}

async function started(ports: Partial<SamplePorts>, options: Partial<HarnessOptions> = {}) {
  const harness = createHarness({ actors: [jobActor, bossActor], ports, ...options });
  await harness.start();
  await harness.create('job/a', { name: 'a' });
  return harness;
}

const note = (harness: Awaited<ReturnType<typeof started>>) => harness.context<{ note: string }>('job/a').note;

describe('effects', () => {
  it('[FX-02] an effect runs after the commit that declared it and its output comes back', async () => {
    const harness = await started({
      fetch: (input, fx) => {
        expect(harness.state('job/a')).toBe('fetching');
        expect(fx.effectId).toBe('p/job/a#2:0');
        return Promise.resolve({ text: input.url });
      },
    });
    await harness.send({ to: 'job/a', event: { type: 'job.fetch' } });
    expect(harness.state('job/a')).toBe('idle');
    expect(note(harness)).toBe('https://a.example');
    expect(harness.cell('job/a')?.effects.size).toBe(0);
  });

  it('[FX-03] a retryable failure is repeated with the same id, up to the attempts', async () => {
    const seen: Call[] = [];
    const harness = await started({
      fetch: (_input, { effectId, attempt, signal }) => {
        seen.push({ effectId, attempt, signal });
        throw new PlatformError(failure('search.unavailable', 'down', { retry: { kind: 'backoff' } }));
      },
    });
    await harness.send({ to: 'job/a', event: { type: 'job.fetch' } });
    expect(seen).toHaveLength(1);
    await harness.advance(10_000);
    expect(seen.map((call) => call.attempt)).toEqual([1, 2, 3]);
    expect(new Set(seen.map((call) => call.effectId)).size).toBe(1);
    expect(note(harness)).toBe('search.unavailable');
  });

  it('[FX-04] a failure that cannot be repeated comes back at once', async () => {
    const harness = await started({ fetch: () => Promise.reject(new PlatformError(failure('page.blocked', 'no'))) });
    await harness.send({ to: 'job/a', event: { type: 'job.fetch' } });
    expect(note(harness)).toBe('page.blocked');
  });

  it('[FX-05] a deadline aborts; repeatable ones are tried again, `once` becomes unknown', async () => {
    const held = heldPorts();
    const harness = await started(held.ports);
    await harness.send({ to: 'job/a', event: { type: 'job.fetch' } });
    await harness.advance(12_000);
    expect(held.calls[0]?.signal.aborted).toBe(true);
    expect(held.calls).toHaveLength(2);
    await harness.send({ to: 'job/a', event: { type: 'job.cancel' } });
    await harness.send({ to: 'job/a', event: { type: 'job.pay' } });
    await harness.advance(12_000);
    expect(note(harness)).toBe('effect.unknown');
  });

  it('[FX-06] leaving the state aborts the call and its late result goes nowhere', async () => {
    const held = heldPorts();
    const harness = await started(held.ports);
    await harness.send({ to: 'job/a', event: { type: 'job.fetch' } });
    await harness.send({ to: 'job/a', event: { type: 'job.cancel' } });
    expect(held.calls[0]?.signal.aborted).toBe(true);
    held.ends[0]?.({ text: 'late', receipt: '' });
    await harness.runUntilIdle();
    expect(note(harness)).toBe('');
    expect(harness.cell('job/a')?.mail.size).toBe(0);
  });

  it('[FX-07] after a crash an idempotent effect runs again with the same id', async () => {
    const held = heldPorts();
    const harness = await started(held.ports);
    await harness.send({ to: 'job/a', event: { type: 'job.fetch' } });
    await harness.restart();
    expect(held.calls.map((call) => [call.effectId, call.attempt])).toEqual([
      ['p/job/a#2:0', 1],
      ['p/job/a#2:0', 2],
    ]);
    held.ends[1]?.({ text: 'second', receipt: '' });
    await harness.runUntilIdle();
    expect(note(harness)).toBe('second');
  });

  it('[FX-08] after a crash a dispatched `once` effect is reported unknown and never sent again', async () => {
    const held = heldPorts();
    const harness = await started(held.ports);
    await harness.send({ to: 'job/a', event: { type: 'job.pay' } });
    await harness.restart();
    expect(held.calls).toHaveLength(1);
    expect(note(harness)).toBe('effect.unknown');
  });

  it('[FX-09] a crash before the dispatch was committed leaves a `once` effect to be sent', async () => {
    const held = heldPorts();
    const harness = await started(held.ports);
    harness.process().onCall = (call) => (call === 'dispatchEffect' ? 'kill-before' : null);
    const sent = harness.host().client.send({
      project: 'p',
      from: 'http',
      to: 'job/a',
      messageId: 'pay',
      event: { type: 'job.pay' },
    });
    await harness.runUntilIdle();
    await sent;
    expect(harness.process().isKilled).toBe(true);
    await harness.restart();
    expect(held.calls).toHaveLength(1);
  });

  it('[FX-10] a lost answer to the dispatch is no reason to send twice or to doubt', async () => {
    const held = heldPorts();
    const harness = await started(held.ports);
    let calls = 0;
    harness.process().onCall = (call) => (call === 'dispatchEffect' && calls++ === 0 ? 'after' : null);
    await harness.send({ to: 'job/a', event: { type: 'job.pay' } });
    expect(held.calls).toHaveLength(0);
    await harness.advance(1000);
    expect(held.calls).toHaveLength(1);
    held.ends[0]?.({ text: '', receipt: 'r-1' });
    await harness.runUntilIdle();
    expect(note(harness)).toBe('r-1');
  });

  it('[FX-11] a lost answer to the completion keeps the result', async () => {
    const harness = await started({ pay: () => Promise.resolve({ receipt: 'r-2' }) });
    let calls = 0;
    harness.process().onCall = (call) => (call === 'completeEffect' && calls++ === 0 ? 'after' : null);
    await harness.send({ to: 'job/a', event: { type: 'job.pay' } });
    await harness.advance(1000);
    expect(note(harness)).toBe('r-2');
  });

  it('[FX-12] a worker without an answered heartbeat starts no effect', async () => {
    const held = heldPorts();
    const harness = await started(held.ports);
    harness.process().onCall = (call) => (call === 'beat' ? 'before' : null);
    await harness.advance(2500);
    await harness.send({ to: 'job/a', event: { type: 'job.pay' } });
    expect(held.calls).toHaveLength(0);
    harness.mend();
    await harness.advance(1500);
    expect(held.calls).toHaveLength(1);
  });

  it('[FX-13] no more effects run at once than allowed, and all run in the end', async () => {
    const held = heldPorts();
    const harness = await started(held.ports, { limits: { runningEffects: 4 } });
    for (let index = 0; index < 40; index++) {
      await harness.create(`job/n${index}`, { name: 'n' });
      await harness.send({ to: `job/n${index}`, event: { type: 'job.fetch' } });
    }
    expect(held.calls).toHaveLength(4);
    for (let index = 0; index < 40; index++) {
      held.ends[index]?.({ text: 't', receipt: '' });
      await harness.runUntilIdle();
    }
    expect(held.calls).toHaveLength(40);
  });

  it('[FX-14] stop gives repeatable effects back to the store', async () => {
    const held = heldPorts();
    const harness = await started(held.ports);
    await harness.send({ to: 'job/a', event: { type: 'job.fetch' } });
    const stopped = harness.host().stop();
    await harness.advance(100);
    await stopped;
    expect(held.calls[0]?.signal.aborted).toBe(true);
    expect([...(harness.cell('job/a')?.effects.values() ?? [])]).toMatchObject([{ row: { state: 'pending' } }]);
    expect(harness.store.tables.leases.every((lease) => lease.owner === null)).toBe(true);
  });

  it('[PS-03] [PS-04] an output that cannot be stored is a failure of the effect', async () => {
    const outputs: unknown[] = ['x'.repeat(1_100_000), 10n];
    const harness = await started({ fetch: () => Promise.resolve({ text: outputs.shift() as string }) });
    await harness.send({ to: 'job/a', event: { type: 'job.fetch' } });
    expect(note(harness)).toBe('effect.output_too_large');
    await harness.send({ to: 'job/a', event: { type: 'job.fetch' } });
    expect(note(harness)).toBe('effect.failed');
  });
});
