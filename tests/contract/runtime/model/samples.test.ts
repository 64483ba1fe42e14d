import { describe, expect, it } from 'vitest';
import { walkAtRandom } from '#tests/support/models/random-walk.ts';
import { sampleModels } from '#tests/support/models/sample-models.ts';
import { interruptPaths, printTally, walkEdges, walkPaths } from '#tests/support/models/walk-paths.ts';

const RUNS = 300;
/** Thousands of steps in one test: seconds on a quiet machine. */
const LIMIT = { timeout: 240_000 };
const models = sampleModels.map((model) => [model.definition.kind, model] as const);

describe('models of the samples', LIMIT, () => {
  it.each(models)('[ST-18] %s: durable and live agree on every shortest path', (_kind, model) => {
    const tally = printTally('paths', walkPaths(model));
    expect(tally.paths).toBeGreaterThan(0);
  });

  it.each(models)('[ST-18] %s: they agree on every edge between two states', (_kind, model) => {
    const tally = printTally('edges', walkEdges(model));
    expect(tally.paths).toBeGreaterThan(0);
  });

  it.each(models)('[ST-18] %s: they agree on random sequences', (kind, model) => {
    const steps = walkAtRandom(model, RUNS);
    printTally('random walks', { kind, paths: RUNS, steps });
    expect(steps).toBeGreaterThan(RUNS);
  });

  it.each(models.filter(([, { interrupts }]) => interrupts.length > 0))(
    '[FX-15] %s: whatever interrupts it between two steps, no effect is declared twice',
    (_kind, model) => {
      const tally = printTally('interruptions', interruptPaths(model));
      expect(tally.paths).toBeGreaterThan(0);
    },
  );
});
