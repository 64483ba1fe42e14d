import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProjectHint } from '#contracts/ports/inspection.ts';
import { pumpActor } from '#tests/support/fakes/pump-actor.ts';
import { createHarness, type Harness } from '#tests/support/harness/harness.ts';

describe('what hosts tell inspectors', () => {
  let harness: Harness;
  let told: string[];

  const start = async (workers = 1): Promise<void> => {
    harness = createHarness({ actors: [pumpActor], workers });
    await harness.start();
    told = [];
    harness.bus.subscribe('inspect.*', (payload) => told.push(payload));
    harness.bus.subscribe('inspect.*.*', (payload) => told.push(payload));
    await harness.create('pump/1', { strokes: 0 });
  };
  const watch = async (worker = 0): Promise<{ hints: ProjectHint[]; stop: () => void }> => {
    const hints: ProjectHint[] = [];
    const stop = harness.host(worker).inspection.watchProject('p', (hint) => hints.push(hint));
    await harness.runUntilIdle();
    return { hints, stop };
  };
  const stroke = (to = 'pump/1') => harness.send({ to, event: { type: 'pump.stroke' } });
  const burst = async (count: number): Promise<void> => {
    for (let number = 0; number < count; number++) {
      void harness.host().client.send({
        project: 'p',
        to: `pump/1`,
        from: 'http',
        messageId: `burst-${number}`,
        event: { type: 'pump.note', text: `${number}` },
      });
    }
    await harness.runUntilIdle();
  };
  const linesOf = (hints: readonly ProjectHint[]) =>
    hints.flatMap(({ rows }) => rows).map((row) => `${row.address} ${row.seq}.${row.index} ${row.eventType}`);

  beforeEach(() => start());
  afterEach(() => harness.stop());

  it('[IX1] nothing is told while nobody watches, nor after the last watcher is gone', async () => {
    await stroke();
    await harness.advance(1000);
    expect(told).toEqual([]);
    const { hints, stop } = await watch();
    await stroke();
    await harness.advance(200);
    expect(hints).toHaveLength(1);
    stop();
    await harness.advance(16_000);
    told = [];
    await stroke();
    await harness.advance(1000);
    expect(told).toEqual([]);
  });

  it('[IX1] a watcher that stays is told for as long as it stays', async () => {
    const { hints } = await watch();
    await harness.advance(60_000);
    await stroke();
    await harness.advance(200);
    expect(linesOf(hints)).toEqual(['pump/1 2.0 pump.stroke']);
  });

  it('[LT-01] a hint comes after its commit, never for one that did not land', async () => {
    const { hints } = await watch();
    let cuts = 0;
    harness.process().onCall = (call) => {
      if (call !== 'commit' || cuts > 0) return null;
      cuts += 1;
      return 'before';
    };
    await stroke();
    await harness.advance(10_000);
    expect(cuts).toBe(1);
    expect(linesOf(hints)).toEqual(['pump/1 2.0 pump.stroke']);
    expect(harness.transitions('pump/1')).toHaveLength(2);
  });

  it('[LT-02] hints leave ten times a second at most, with at most 128 transitions; the others are counted', async () => {
    const { hints } = await watch();
    await burst(300);
    await harness.advance(100);
    expect(hints).toHaveLength(1);
    expect(hints[0]?.rows).toHaveLength(128);
    expect(hints[0]?.skipped).toBe(300 - 128);
    for (let count = 0; count < 5; count++) await stroke();
    await harness.advance(100);
    expect(hints).toHaveLength(2);
    expect(hints[1]?.skipped).toBe(0);
  });

  it('[LT-03] a lost hint is noticed by the next one, or by the next announcement', async () => {
    const { hints } = await watch();
    const lose = async (): Promise<void> => {
      const before = harness.bus.published;
      harness.drop();
      await stroke();
      await harness.advance(150);
      expect(harness.bus.published).toBeGreaterThan(before);
      harness.drop(0);
    };
    await lose();
    expect(hints).toEqual([]);
    await stroke();
    await harness.advance(150);
    expect(hints).toMatchObject([{ isLossy: true, rows: [{ seq: 3 }] }]);
    await lose();
    await harness.advance(5000);
    expect(hints).toMatchObject([{ isLossy: true }, { isLossy: true, rows: [] }]);
  });

  it('[LT-03] a watcher of one actor is called without a hint too', async () => {
    const calls: (number | null)[] = [];
    harness.host().inspection.watchActor('p', 'pump/1', (seq) => calls.push(seq));
    await harness.runUntilIdle();
    await stroke();
    await harness.create('pump/2', { strokes: 0 });
    await harness.advance(100);
    expect(calls).toEqual([2]);
    harness.drop();
    await stroke();
    await harness.advance(2000);
    expect(calls.slice(1)).toContain(null);
  });

  it('[LT-04] a watcher of one process hears the workers of others', async () => {
    await harness.stop();
    await start(3);
    const { hints } = await watch(2);
    for (let number = 2; number < 20; number++) await harness.create(`pump/${number}`, { strokes: 0 });
    await harness.advance(300);
    expect(new Set(linesOf(hints)).size).toBe(18);
    expect(hints.every(({ isLossy }) => !isLossy)).toBe(true);
  });
});
