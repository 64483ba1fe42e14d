import { describe, expect, it } from 'vitest';
import type { TransitionSummary } from '#contracts/http/actors.ts';
import type { LoggedTransition } from '#contracts/ports/actor-store.ts';
import type { ProjectHint } from '#contracts/ports/inspection.ts';
import { ActorTail, type TailSource } from '#gateway/inspector/actor-tail.ts';
import type { Batch, Sink } from '#gateway/inspector/batch.ts';
import { ProjectTail } from '#gateway/inspector/project-tail.ts';
import { ManualClock } from '#tests/support/fakes/manual-clock.ts';
import { transitionOf } from '#tests/support/suites/store-builders.ts';

/** A log that a test writes, and a reader whose speed it decides. */
function stage() {
  const clock = new ManualClock();
  const log: LoggedTransition[] = [];
  let hear: (seq: number) => void = () => undefined;
  let hearProject: (hint: ProjectHint) => void = () => undefined;
  const inspection = {
    readTransitions: async (_project: string, _address: string, after: { seq: number } | null, limit: number) =>
      log.filter(({ seq }) => seq > (after?.seq ?? 0)).slice(0, limit),
    watchActor: (_project: string, _address: string, listener: typeof hear) => ((hear = listener), () => undefined),
    watchProject: (_project: string, listener: typeof hearProject) => ((hearProject = listener), () => undefined),
  };
  const reader = { isFree: true, failed: 0 };
  const source = { inspection, clock, project: 'p' } as unknown as TailSource;
  const sink = <Row>(batches: Batch<Row>[]): Sink<Row> => ({
    isFree: () => reader.isFree,
    send: (batch) => void batches.push(batch),
    fail: () => void (reader.failed += 1),
  });
  const commit = (count: number): void => {
    for (let number = 0; number < count; number++) {
      const seq = log.length + 1;
      log.push({ ...transitionOf({ messageId: `m${seq}` }), seq, defHash: '', atMs: clock.nowMs() });
    }
    hear(log.length);
  };
  const tell = (count: number, skipped = 0, isLossy = false): void => {
    const row = { address: 'pump/a', index: 0, messageId: 'm', from: 'http', eventType: 'e', state: null } as const;
    const rows = Array.from({ length: count }, (_, seq) => ({ ...row, seq, outcome: 'handled' as const, atMs: 7 }));
    hearProject({ rows, skipped, isLossy });
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 10) {
      clock.advance(10);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { source, sink, reader, commit, tell, pass };
}

describe('tails of the log', () => {
  it('[TL1] ten batches a second at most, whatever the log does', async () => {
    const { source, sink, commit, pass } = stage();
    const batches: Batch<LoggedTransition>[] = [];
    const tail = new ActorTail(source, 'pump/a', null, sink(batches));
    tail.start();
    for (let round = 0; round < 100; round++) {
      commit(3);
      await pass(10);
    }
    expect(batches.length).toBeGreaterThan(8);
    expect(batches.length).toBeLessThanOrEqual(11);
    await pass(200);
    expect(batches.flatMap(({ rows }) => rows).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 300 }, (_, index) => index + 1),
    );
    tail.stop();
  });

  it('[TL2] nothing waits in memory for a slow reader; far behind, it is taken to the end with a gap', async () => {
    const { source, sink, commit, pass, reader } = stage();
    const batches: Batch<LoggedTransition>[] = [];
    const tail = new ActorTail(source, 'pump/a', null, sink(batches));
    tail.start();
    commit(5);
    await pass(200);
    reader.isFree = false;
    commit(5000);
    await pass(2000);
    expect(batches).toHaveLength(1);
    reader.isFree = true;
    await pass(500);
    expect(batches[1]).toMatchObject({ gap: { transitions: 4800, isExact: false, after: '5.0' } });
    expect(batches.at(-1)?.rows.at(-1)?.seq).toBe(5005);
    tail.stop();
  });

  it('[TL3] lines beyond the bound are counted in a gap, before the lines that are newer', async () => {
    const { source, sink, tell, pass, reader } = stage();
    const batches: Batch<TransitionSummary>[] = [];
    const tail = new ProjectTail(source, 0, sink(batches));
    tail.start();
    reader.isFree = false;
    for (let round = 0; round < 10; round++) tell(100, 50);
    await pass(300);
    expect(batches).toEqual([]);
    reader.isFree = true;
    await pass(1000);
    expect(batches.map(({ rows, gap }) => [rows.length, gap?.transitions ?? 0])).toEqual([
      [200, 1000],
      [200, 0],
      [100, 0],
    ]);
    tell(0, 0, true);
    await pass(200);
    expect(batches.at(-1)?.gap).toMatchObject({ isExact: false });
    tail.stop();
  });
});
