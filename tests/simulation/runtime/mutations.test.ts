import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { runFleet } from '#tests/support/simulation/fleet/fleet.ts';
import { GUARDS, type Guard } from '#tests/support/simulation/mutants/guards.ts';
import { mutate } from '#tests/support/simulation/mutants/mutate.ts';
import { DEFAULT_WORKERS } from '#tests/support/simulation/schedule/generate.ts';

/** Most are noticed within a few hundred; only one that is not noticed needs all of them. */
const SCHEDULES_OF_A_MUTANT = 8000;
/** The same seeds in every run: a guard that was noticed once is noticed again. */
const BASE_SEED = 1_000_001;
const EACH_MS = 120_000;

type Noticed = { readonly id: string; readonly rule: string | null; readonly schedules: number };

describe('guards of the runtime', () => {
  it(
    '[OB-01, CM-02, CM-06, LS-03, FX-08, FN-05] the simulation notices when any one of them is missing',
    { timeout: GUARDS.length * EACH_MS },
    async () => {
      const all = await inParallel(GUARDS, runMutant);
      for (const { id, rule, schedules } of all)
        console.log(`${rule ?? 'nothing'} after ${schedules} schedules: ${id}`);
      expect(all.filter(({ rule }) => rule === null).map(({ id }) => id)).toEqual([]);
      expect(new Set(all.map(({ id }) => id)).size).toBe(GUARDS.length);
    },
  );

  it('[SP1] a guard whose text is gone is an error, not a silent pass', () => {
    const guard = { id: 'gone', file: 'runtime/host/turns.ts', text: 'this text is nowhere', replacement: '' };
    expect(() => mutate(guard)).toThrow("guard 'gone': its text is in runtime/host/turns.ts 0 times, not once");
  });
});

async function runMutant(guard: Guard): Promise<Noticed> {
  const result = await runFleet({
    seed: BASE_SEED,
    schedules: SCHEDULES_OF_A_MUTANT,
    workers: DEFAULT_WORKERS,
    processes: 1,
    stopAtFirst: true,
    mutation: mutate(guard),
  });
  return { id: guard.id, rule: result.found[0]?.rule ?? null, schedules: result.schedules };
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, item] = next;
      results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}
