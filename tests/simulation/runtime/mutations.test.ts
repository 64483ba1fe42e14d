import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { runFleet } from '#tests/support/simulation/fleet/fleet.ts';
import { GUARDS, type Guard } from '#tests/support/simulation/mutants/guards.ts';
import { mutate } from '#tests/support/simulation/mutants/mutate.ts';
import { DEFAULT_WORKERS } from '#tests/support/simulation/schedule/generate.ts';

const SCHEDULES_OF_A_MUTANT = 3000;
const MOST_REDUNDANT = 2;
/** The same seeds in every run: a guard that was caught once is caught again. */
const BASE_SEED = 1_000_001;
const EACH_MS = 120_000;

type Caught = { readonly id: string; readonly rule: string | null; readonly schedules: number };

describe('guards of the runtime', () => {
  it(
    '[OB-01, CM-02, CM-06, LS-03, FX-08, FN-05] the simulation notices when any one of them is missing',
    {
      timeout: GUARDS.length * EACH_MS,
    },
    async () => {
      const caught = await inParallel(GUARDS, checkMutant);
      for (const { id, rule, schedules } of caught)
        console.log(`${rule ?? 'GREEN'} after ${schedules} schedules: ${id}`);
      const redundant = new Set(GUARDS.filter((guard) => guard.redundant !== undefined).map(({ id }) => id));
      const green = caught.filter(({ rule }) => rule === null).map(({ id }) => id);
      expect(green.filter((id) => !redundant.has(id))).toEqual([]);
      // a guard that can be missed after all is no longer called redundant
      expect([...redundant].filter((id) => !green.includes(id))).toEqual([]);
      expect(redundant.size).toBeLessThanOrEqual(MOST_REDUNDANT);
    },
  );

  it('[SP1] a guard whose text is gone is an error, not a silent pass', () => {
    const guard = { id: 'gone', file: 'runtime/host/turns.ts', text: 'this text is nowhere', replacement: '' };
    expect(() => mutate(guard)).toThrow("guard 'gone': its text is in runtime/host/turns.ts 0 times, not once");
  });
});

async function checkMutant(guard: Guard): Promise<Caught> {
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
