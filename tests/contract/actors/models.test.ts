import { describe, expect, it } from 'vitest';
import { catalogue } from '#actors/catalogue.ts';
import { defineModel, modelOf } from '#tests/support/models/actor-model.ts';
import { productModels } from '#tests/support/models/product/product-models.ts';
import { walkAtRandom } from '#tests/support/models/random-walk.ts';
import { interruptPaths, printTally, walkEdges, walkPaths } from '#tests/support/models/walk-paths.ts';

const RUNS = 300;
/** Thousands of steps in one test: seconds on a quiet machine. */
const LIMIT = { timeout: 240_000 };
const models = catalogue.map(({ kind }) => [kind, modelOf(productModels, kind)] as const);

describe('models of the product', LIMIT, () => {
  it.each(models)('[ST-18] %s: durable and live agree on every shortest path', (_kind, model) => {
    const tally = printTally('paths', walkPaths(model));
    expect(tally.paths).toBeGreaterThan(1);
    expect(tally).toMatchObject({ detours: 0, threw: 0 });
  });

  it.each(models)('[ST-18] %s: they agree on every edge between two states', (_kind, model) => {
    const tally = printTally('edges', walkEdges(model));
    expect(tally.paths).toBeGreaterThan(1);
    expect(tally).toMatchObject({ detours: 0, threw: 0 });
  });

  it.each(models)('[ST-18] %s: they agree on random sequences', (kind, model) => {
    const steps = walkAtRandom(model, RUNS);
    printTally('random walks', { kind, paths: RUNS, steps });
    expect(steps).toBeGreaterThan(RUNS / 2);
  });

  it.each(models.filter(([, { interrupts }]) => interrupts.length > 0))(
    '[FX-15] %s: whatever interrupts it between two steps, no effect is declared twice',
    (_kind, model) => {
      const tally = printTally('interruptions', interruptPaths(model));
      expect(tally.paths).toBeGreaterThan(1);
    },
  );

  it('[ST-18] a kind without a model, and an event or invoke without a fixture, are errors', () => {
    expect(() => modelOf(productModels, 'price-watch')).toThrow("'price-watch' has no model");
    const task = modelOf(productModels, 'task');
    const { 'task.stop': _stop, ...mail } = task.mail;
    expect(() => defineModel({ ...task, mail })).toThrow("the model of 'task' says nothing about task.stop");
    expect(() => defineModel({ ...task, outputs: {} })).toThrow(
      'says nothing about surroundings, inheritance, freeze, probe, recheck, close',
    );
  });
});
