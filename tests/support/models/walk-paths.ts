import { expect } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import type { ActorEvent } from '#contracts/envelope.ts';
import { doneWith, mailFor, type ActorModel, type Scenario } from './actor-model.ts';
import { movesIn, shortestPaths, takes, type Move, type Path } from './shortest-paths.ts';
import { Walk } from './walk.ts';

export type Tally = {
  readonly kind: string;
  paths: number;
  steps: number;
  /** Moves that only the graph thinks possible; what follows them was not walked. */
  detours: number;
  threw: number;
};

/** One line of figures for whoever reads the run. */
export function printTally<Figures extends Pick<Tally, 'kind' | 'paths' | 'steps'>>(
  what: string,
  tally: Figures,
): Figures {
  const { kind, paths, steps, ...rest } = tally;
  const others = Object.entries(rest).flatMap(([name, count]) => (count === 0 ? [] : [`${String(count)} ${name}`]));
  console.log([`${kind}: ${paths} ${what}`, `${steps} steps`, ...others].join(', '));
  return tally;
}

/** Enough for every machine to come to rest. */
const MAX_DRAIN = 100;

/** Walks every shortest path; at its end all mail comes that the state does not take, last what makes the machine throw. */
export function walkPaths(model: ActorModel): Tally {
  return forEachPath(model, (walk, path, tally) => {
    if (walk.isOver) return;
    const untaken = mailFor(model, path.end).filter((event) => !takes(path.end, event));
    const throwing = mailFor(model, path.end).find((event) => throws(model, path.end, event));
    for (const event of untaken) {
      if (!throws(model, path.end, event)) expect(walk.mail(event), event.type).toBe('ignored');
    }
    if (throwing === undefined) return;
    expect(walk.mail(throwing), throwing.type).toBe('threw');
    tally.threw += 1;
  });
}

function throws(model: ActorModel, snapshot: AnyMachineSnapshot, event: ActorEvent): boolean {
  try {
    return snapshot.can(event) && model.defects.includes(event.type);
  } catch {
    return true;
  }
}

/** Every possible move at the end of every path: all edges of the model. */
export function walkEdges(model: ActorModel): Tally {
  return forEachEnding(model, (path) =>
    movesIn(model, path.end).map((move) => (walk, tally) => {
      const outcome = walk.make(move);
      if (outcome === 'impossible') tally.detours += 1;
      if (outcome === 'threw') tally.threw += 1;
    }),
  );
}

/** Every interruption at the end of every path, hence between any two steps of any path; then the actor goes on by itself. */
export function interruptPaths(model: ActorModel): Tally {
  return forEachEnding(model, (path) =>
    mailFor(model, path.end)
      .filter(({ type }) => model.interrupts.includes(type))
      .map((event) => (walk) => {
        walk.mail(event);
        drain(model, walk);
      }),
  );
}

/** Answers every effect and lets every timer fire, until nothing is left to wait for. */
function drain(model: ActorModel, walk: Walk): void {
  for (let turn = 0; turn < MAX_DRAIN && !walk.isOver; turn += 1) {
    const effect = walk.effects[0];
    const { context } = walk.stored.observe();
    const output = effect && model.outputs[effect.invokeId]?.(context as never)[0];
    if (effect !== undefined && output !== undefined) walk.settle(effect.invokeId, doneWith(output));
    else if (walk.timers[0] !== undefined) walk.passUntil(Math.min(...walk.timers.map(({ dueAtMs }) => dueAtMs)));
    else return;
  }
}

type Explored = { readonly path: Path; readonly end: Walk };
const explored = new WeakMap<Scenario, readonly Explored[]>();

/** Walks the paths of a scenario, each step of them once however many paths share it. */
function explore(model: ActorModel, scenario: Scenario, tally: Tally): readonly Explored[] {
  const known = explored.get(scenario);
  if (known !== undefined) return known;
  const ends = new Map<string, Walk | null>();
  const follow = (moves: readonly Move[]): Walk | null => {
    const key = JSON.stringify(moves);
    const met = ends.get(key);
    if (met !== undefined) return met;
    const last = moves.at(-1);
    const walk = last === undefined ? Walk.start(model, scenario) : advance(follow(moves.slice(0, -1)), last, tally);
    ends.set(key, walk);
    return walk;
  };
  const found = shortestPaths(model, scenario).flatMap((path) => {
    const end = follow(path.moves);
    if (end === null) return [];
    expect(end.stored.observe().value).toEqual(path.end.value);
    return [{ path, end }];
  });
  for (const walk of ends.values()) walk?.end();
  explored.set(scenario, found);
  return found;
}

/** `null` for what only the graph believes: that time stands still for a later timer, or that an effect ends twice. */
function advance(from: Walk | null, move: Move, tally: Tally): Walk | null {
  const walk = from?.fork() ?? null;
  if (walk === null) return null;
  const outcome = walk.make(move);
  tally.steps += 1;
  if (outcome === 'handled') return walk;
  expect([move.move === 'mail', outcome], JSON.stringify(move)).toEqual([false, 'impossible']);
  tally.detours += 1;
  return null;
}

const newTally = (model: ActorModel): Tally => ({
  kind: model.definition.kind,
  paths: 0,
  steps: 0,
  detours: 0,
  threw: 0,
});

function forEachPath(model: ActorModel, visit: (walk: Walk, path: Path, tally: Tally) => void): Tally {
  const tally = newTally(model);
  for (const scenario of model.scenarios) {
    for (const { path, end } of explore(model, scenario, tally)) {
      const walk = end.fork();
      visit(walk, path, tally);
      finish(walk, tally);
    }
  }
  return tally;
}

function forEachEnding(model: ActorModel, endings: (path: Path) => ((walk: Walk, tally: Tally) => void)[]): Tally {
  const tally = newTally(model);
  for (const scenario of model.scenarios) {
    for (const { path, end } of explore(model, scenario, tally)) {
      if (path.end.status !== 'active') continue;
      for (const ending of endings(path)) {
        const walk = end.fork();
        ending(walk, tally);
        finish(walk, tally);
      }
    }
  }
  return tally;
}

function finish(walk: Walk, tally: Tally): void {
  walk.end();
  tally.paths += 1;
  tally.steps += walk.steps;
}
