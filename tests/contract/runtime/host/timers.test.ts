import { describe, expect, it } from 'vitest';
import { createHarness, type HarnessOptions } from '#tests/support/harness/harness.ts';
import { bossActor, jobActor } from '#tests/support/harness/sample-actors.ts';

async function waiting(options: Partial<HarnessOptions> = {}) {
  const harness = createHarness({ actors: [jobActor, bossActor], ...options });
  await harness.start();
  await harness.create('job/a', { name: 'a' });
  await harness.send({ to: 'job/a', event: { type: 'job.wait' } });
  return harness;
}

const fired = (harness: Awaited<ReturnType<typeof waiting>>, address = 'job/a') =>
  harness.outcomes(address).filter((line) => line.startsWith('xstate.after'));

describe('timers', () => {
  it('[TM-02] fires once, at its time, and its row goes with that commit', async () => {
    const harness = await waiting();
    await harness.advance(59_000);
    expect(harness.state('job/a')).toBe('waiting');
    await harness.advance(1_000);
    expect(harness.state('job/a')).toBe('idle');
    expect(harness.cell('job/a')?.timers.size).toBe(0);
    expect(fired(harness)).toEqual(['xstate.after.60000.job.waiting:handled']);
  });

  it('[TM-03] a timer that came due while nobody ran fires once after the start', async () => {
    const harness = await waiting();
    harness.kill();
    await harness.advance(120_000);
    await harness.restart();
    expect(harness.context<{ note: string }>('job/a').note).toBe('waited');
    await harness.advance(120_000);
    expect(fired(harness)).toHaveLength(1);
  });

  it('[TM-04] a timer of a state that was left does not fire', async () => {
    const harness = await waiting();
    await harness.send({ to: 'job/a', event: { type: 'job.cancel' } });
    await harness.advance(120_000);
    expect(fired(harness)).toEqual([]);
  });

  it('[TM-05] a second arming counts from the second entry', async () => {
    const harness = await waiting();
    await harness.advance(50_000);
    await harness.send({ to: 'job/a', event: { type: 'job.cancel' } });
    await harness.send({ to: 'job/a', event: { type: 'job.wait' } });
    await harness.advance(20_000);
    expect(harness.state('job/a')).toBe('waiting');
    await harness.advance(40_000);
    expect(harness.state('job/a')).toBe('idle');
  });

  it('[TM-06] a kill before or after any store call of the firing still fires once', async () => {
    for (const when of ['kill-before', 'kill-after'] as const) {
      for (let nth = 0; nth < 8; nth++) {
        const harness = await waiting({ limits: { beatMs: 600_000, deadAfterMs: 1_800_000, pollMs: 600_000 } });
        let calls = 0;
        harness.process().onCall = () => (calls++ === nth ? when : null);
        await harness.advance(60_000);
        await harness.restart();
        await harness.advance(1000);
        expect([when, nth, fired(harness)]).toEqual([when, nth, ['xstate.after.60000.job.waiting:handled']]);
      }
    }
  });

  it('[TM-07] hundreds of timers due at once all fire once', async () => {
    const harness = await waiting({ limits: { firedTimers: 32 } });
    for (let index = 0; index < 300; index++) {
      void harness.host().client.send({
        project: 'p',
        from: 'http',
        to: `job/t${index}`,
        messageId: 'c',
        event: { type: 'runtime.create' },
        create: { input: { name: 't' } },
      });
      void harness.host().client.send({
        project: 'p',
        from: 'http',
        to: `job/t${index}`,
        messageId: 'w',
        event: { type: 'job.wait' },
      });
    }
    await harness.runUntilIdle();
    await harness.advance(65_000);
    for (let index = 0; index < 300; index++) expect(fired(harness, `job/t${index}`)).toHaveLength(1);
  });
});
