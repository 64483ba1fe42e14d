import type { AnyEventObject, AnyMachineSnapshot, AnyStateNode } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import type { ActorEvent } from '#contracts/envelope.ts';
import type { EffectResult } from '#contracts/effect.ts';
import { doneWith, failedWith, mailFor, type ActorModel, type Scenario } from './actor-model.ts';

/** What happens to an actor. */
export type Move =
  | { readonly move: 'mail'; readonly event: ActorEvent }
  | { readonly move: 'settle'; readonly invokeId: string; readonly result: EffectResult }
  /** Time passes until this timer fires. */
  | { readonly move: 'timer'; readonly timerId: string };

export type Path = { readonly key: string; readonly end: AnyMachineSnapshot; readonly moves: readonly Move[] };

/** Of the graph only; where the actor really goes it gets the time of the step. */
const AT = '2026-01-01T00:00:00.000Z';
/** More steps than this and the key of a model tells too much apart. */
const MAX_TRAVERSALS = 20_000;

type Options = { readonly from?: AnyMachineSnapshot; readonly until?: (snapshot: AnyMachineSnapshot) => boolean };

/** A shortest way to every state of the model. */
export function shortestPaths(model: ActorModel, scenario: Scenario, options: Options = {}): Path[] {
  const found = getShortestPaths(model.definition.machine, {
    input: scenario.input,
    limit: MAX_TRAVERSALS,
    events: (snapshot) => (snapshot.status === 'active' ? eventsFor(model, snapshot) : []),
    // XState puts a bare event in the place of one the model does not send here; nobody would
    filterEvents: (snapshot, event) => 'at' in event && takes(snapshot, event),
    serializeState: (snapshot) => stateKey(model, snapshot),
    ...(options.from === undefined ? {} : { fromState: options.from }),
    ...(options.until === undefined ? {} : { toState: options.until }),
  });
  return found.map((path) => ({
    key: stateKey(model, path.state),
    end: path.state,
    moves: path.steps.filter(({ event }) => event.type !== 'xstate.init').map(({ event }) => moveOf(event)),
  }));
}

export function stateKey(model: ActorModel, snapshot: AnyMachineSnapshot): string {
  return JSON.stringify([snapshot.value, snapshot.status, model.keyOf(snapshot.context as never)]);
}

/** All that the model may do in this state. */
export function movesIn(model: ActorModel, snapshot: AnyMachineSnapshot): Move[] {
  return eventsFor(model, snapshot).map(moveOf);
}

/** `false` also when a guard throws: the walk tries those on their own. */
export function takes(snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean {
  try {
    return snapshot.can(event);
  } catch {
    return false;
  }
}

function eventsFor(model: ActorModel, snapshot: AnyMachineSnapshot): AnyEventObject[] {
  const nodes = snapshot._nodes as readonly AnyStateNode[];
  const timers = nodes.flatMap((node) => node.after.map(({ eventType }) => ({ type: String(eventType) })));
  const results = nodes.flatMap((node) => node.invoke.flatMap(({ id }) => resultsOf(model, id, snapshot)));
  const mail = mailFor(model, snapshot).filter((event) => !model.defects.includes(event.type));
  return [...mail, ...timers, ...results].map((event) => ({ ...event, at: AT }));
}

function resultsOf(model: ActorModel, invokeId: string, snapshot: AnyMachineSnapshot): AnyEventObject[] {
  const outputs = model.outputs[invokeId]?.(snapshot.context as never) ?? [];
  const done = outputs.map((output) => ({ type: `xstate.done.actor.${invokeId}`, output, actorId: invokeId }));
  const failed = model.failures.map((error) => ({
    type: `xstate.error.actor.${invokeId}`,
    error,
    actorId: invokeId,
  }));
  return [...done, ...failed];
}

function moveOf(event: AnyEventObject): Move {
  const { at: _at, ...sent } = event;
  if (event.type.startsWith('xstate.after.')) return { move: 'timer', timerId: event.type };
  const done = /^xstate\.done\.actor\.(.+)$/.exec(event.type)?.[1];
  if (done !== undefined) {
    return { move: 'settle', invokeId: done, result: doneWith(event['output']) };
  }
  const failed = /^xstate\.error\.actor\.(.+)$/.exec(event.type)?.[1];
  if (failed !== undefined) {
    return { move: 'settle', invokeId: failed, result: failedWith(event['error']) };
  }
  return { move: 'mail', event: sent };
}
