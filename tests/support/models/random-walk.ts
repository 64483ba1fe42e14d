import * as fc from 'fast-check';
import { doneWith, failedWith, mailFor, type ActorModel, type Scenario } from './actor-model.ts';
import type { Move } from './shortest-paths.ts';
import { Walk } from './walk.ts';

/** Fixed, so that a red run is red again. */
const SEED = 20_260_101;

/** What chance decides before it knows where the walk will be. */
export type Impulse = {
  readonly towards: 'mail' | 'result' | 'time';
  readonly pick: number;
  /** Halves of the time to the next timer. */
  readonly halves: number;
};

export const impulses: fc.Arbitrary<Impulse[]> = fc.array(
  fc.record({
    towards: fc.constantFrom('mail', 'mail', 'result', 'time'),
    pick: fc.nat({ max: 1_000 }),
    halves: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 40, size: 'max' },
);

/** Follows the impulses through whatever is possible; returns the number of steps. */
export function walkRandomly(model: ActorModel, scenario: Scenario, chosen: readonly Impulse[]): number {
  const walk = Walk.start(model, scenario);
  for (const { towards, pick, halves } of chosen) {
    if (walk.isOver) break;
    const moves = towards === 'mail' ? mailOf(model, walk, pick) : towards === 'result' ? resultsOf(model, walk) : [];
    const move = moves[pick % Math.max(1, moves.length)];
    if (move === undefined) letTimePass(walk, halves);
    else walk.make(move);
  }
  walk.end();
  return walk.steps;
}

/** Interruptions are rare, or no walk would get far. */
function mailOf(model: ActorModel, walk: Walk, pick: number): Move[] {
  const { snapshot } = walk.stored.restore();
  if (snapshot === null) return [];
  const mail = mailFor(model, snapshot).filter(({ type }) => pick % 8 === 0 || !model.interrupts.includes(type));
  return mail.map((event) => ({ move: 'mail', event }));
}

function resultsOf(model: ActorModel, walk: Walk): Move[] {
  const { context } = walk.stored.observe();
  return walk.effects.flatMap(({ invokeId }) => [
    ...(model.outputs[invokeId]?.(context as never) ?? []).map((output): Move => ({
      move: 'settle',
      invokeId,
      result: doneWith(output),
    })),
    ...model.failures.map((reason): Move => ({ move: 'settle', invokeId, result: failedWith(reason) })),
  ]);
}

/** Half of the time to the next timer, all of it, or more. */
function letTimePass(walk: Walk, halves: number): void {
  const next = Math.min(...walk.timers.map(({ dueAtMs }) => dueAtMs));
  const ms = Number.isFinite(next) ? Math.ceil(((next - walk.nowMs) * halves) / 2) : 1_000;
  walk.passUntil(walk.nowMs + ms);
}

/** Durable and live agree on `runs` random sequences; returns the number of steps. */
export function walkAtRandom(model: ActorModel, runs: number): number {
  let steps = 0;
  fc.assert(
    fc.property(fc.constantFrom(...model.scenarios), impulses, (scenario, chosen) => {
      steps += walkRandomly(model, scenario, chosen);
    }),
    { seed: SEED, numRuns: runs },
  );
  return steps;
}
