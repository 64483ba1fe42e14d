import { describe, expect, it } from 'vitest';
import { TakeOverLine } from '#runtime/host/take-over-line.ts';
import type { Resident } from '#runtime/host/residents.ts';
import { createHarness } from '#tests/support/harness/harness.ts';
import { jobActor } from '#tests/support/harness/sample-actors.ts';
import { VirtualClock } from '#tests/support/harness/virtual-clock.ts';

const NEW_SHARD = 1;

/** A line whose loads and commits are in the test's hands. */
function lineWith() {
  const clock = new VirtualClock();
  const portions: Resident[][] = [];
  let committed = 0;
  const line = new TakeOverLine({ clock } as never, {
    load: (residents) => {
      portions.push([...residents]);
      for (const resident of residents) resident.phase = 'loading';
    },
    committed: () => committed,
  });
  line.acquired([NEW_SHARD]);
  const pass = (ms: number): void => {
    const endMs = clock.nowMs() + ms;
    for (let next = clock.nextDueAtMs(); next !== null && next <= endMs; next = clock.nextDueAtMs()) {
      clock.moveTo(next);
      clock.ringNext();
    }
    clock.moveTo(endMs);
  };
  /** They took their step, and so did as many others. */
  const settle = (portion: readonly Resident[], others: number): void => {
    for (const resident of portion) {
      resident.phase = 'idle';
      resident.queue.length = 0;
    }
    committed += portion.length + others;
  };
  return { line, portions, pass, settle };
}

function waiting(shard: number, mail: 'normal' | 'operator' = 'normal'): Resident {
  const input = [{ kind: 'mail' }];
  const queues = mail === 'normal' ? { queue: input, operatorQueue: [] } : { queue: [], operatorQueue: input };
  return { shard, phase: 'idle', state: null, isGone: false, ...queues } as unknown as Resident;
}

const herd = (size: number): Resident[] => Array.from({ length: size }, () => waiting(NEW_SHARD));

describe('a herd that came with shards', () => {
  it('[LS-09] is loaded in portions, and the worker rests three times as long as each took while others are at work', () => {
    const { line, portions, pass, settle } = lineWith();
    line.admit(herd(100));
    expect(portions.map((portion) => portion.length)).toEqual([16]);
    pass(19);
    expect(portions).toHaveLength(1);
    settle(portions[0] ?? [], 5);
    pass(1);
    expect(portions).toHaveLength(1);
    pass(59);
    expect(portions).toHaveLength(1);
    pass(5);
    expect(portions.map((portion) => portion.length)).toEqual([16, 16]);
  });

  it('[LS-09] nobody else stands in line, nor does operator mail', () => {
    const { line, portions } = lineWith();
    line.admit(herd(100));
    const other = waiting(2);
    line.admit([other]);
    expect(portions.at(-1)).toEqual([other]);
    const urgent = waiting(NEW_SHARD, 'operator');
    line.admit([waiting(NEW_SHARD), urgent]);
    expect(portions.at(-1)).toEqual([urgent]);
  });

  it('[LS-09] is loaded without rests when nobody else is at work', () => {
    const { line, portions, pass, settle } = lineWith();
    line.admit(herd(2000));
    for (let round = 0; round < 100 && portions.flat().length < 2000; round += 1) {
      const seen = portions.length;
      settle(portions.at(-1) ?? [], 0);
      for (let waits = 0; portions.length === seen && waits < 100; waits += 1) pass(10);
    }
    expect(portions.flat()).toHaveLength(2000);
    expect(portions.at(-2)).toHaveLength(256);
  });

  it('[LS-09] every actor of a killed worker takes its step', async () => {
    const harness = createHarness({ actors: [jobActor], ports: {}, workers: 2, limits: { residentActors: 50 } });
    await harness.start();
    const names = Array.from({ length: 300 }, (_, index) => `job/a${index}`);
    for (const name of names) await harness.create(name, { name: name.slice(4) });
    for (const to of names) await harness.send({ to, event: { type: 'job.wait' } });
    harness.kill(1);
    await harness.advance(60_000);
    await harness.advance(10_000);
    expect(names.filter((name) => harness.context<{ note: string }>(name).note !== 'waited')).toEqual([]);
    await harness.stop();
  }, 60_000);
});
