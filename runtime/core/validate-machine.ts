// Validation of a machine at registration.
//
// A durable actor supports a part of XState. Everything else is refused before the first actor is created,
// with a message that says what to write instead.

import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { fail } from '#contracts/errors.ts';
import { requestAction, type AnyEffect } from './authoring.ts';

type Action = string | { readonly type?: unknown } | BuiltinAction;
type BuiltinAction = {
  (...args: never[]): unknown;
  readonly type?: string;
  readonly resolve?: unknown;
  readonly id?: unknown;
  readonly delay?: unknown;
  readonly systemId?: unknown;
  readonly src?: unknown;
};

type Review = {
  readonly machine: AnyStateMachine;
  readonly effects: Readonly<Record<string, AnyEffect>>;
  readonly problems: string[];
};

const KIND = /^[a-z][a-z0-9-]{1,39}$/;

/** Throws `actor.defect` with one line for each problem. */
export function validateMachine(
  kind: string,
  machine: AnyStateMachine,
  effects: Readonly<Record<string, AnyEffect>>,
): void {
  const review: Review = { machine, effects, problems: [] };
  if (!KIND.test(kind)) review.problems.push(`kind '${kind}': use 2 to 40 of [a-z0-9-], a letter first`);
  checkOptions(review);
  for (const [name, action] of Object.entries(machine.implementations.actions)) {
    checkImplementation(review, name, action as Action);
  }
  visitNode(review, machine.root);
  for (const name of Object.keys(effects)) {
    if (machine.implementations.actors[name] === undefined) {
      review.problems.push(`effect '${name}': name it in setup({ actors: { ${name}: effectLogic() } })`);
    }
  }
  if (review.problems.length > 0) {
    fail('actor.defect', `actor '${kind}' cannot be durable:\n- ${review.problems.join('\n- ')}`);
  }
}

function checkOptions({ machine, problems }: Review): void {
  const limit = machine.options?.maxIterations;
  if (limit === undefined || !Number.isFinite(limit)) {
    problems.push('missing maxIterations: add `options: { maxIterations: 1000 }` so that an `always` loop ends');
  }
}

function checkImplementation(review: Review, name: string, action: Action): void {
  if (action === (requestAction as unknown)) return;
  if (typeof action === 'function' && action.resolve !== undefined) checkBuiltin(review, `action '${name}'`, action);
  else {
    review.problems.push(
      `action '${name}': a function would run before the commit; use requestAction with params, assign, or an effect`,
    );
  }
}

function visitNode(review: Review, node: AnyStateNode): void {
  const where = `state '${node.id}'`;
  for (const action of [...node.entry, ...node.exit]) checkAction(review, where, action as Action);
  for (const transition of [...node.transitions.values()].flat()) {
    checkTransition(review, `${where}, on '${transition.eventType}'`, transition);
  }
  for (const transition of node.always ?? []) checkTransition(review, `${where}, always`, transition);
  const initialActions = node.config.initial === undefined ? [] : node.initial.actions;
  for (const action of initialActions) checkAction(review, `${where}, initial`, action as Action);
  checkInvokes(review, where, node);
  for (const delay of Object.keys((node.config.after as object | undefined) ?? {})) {
    if (Number.isNaN(Number(delay)) && review.machine.implementations.delays[delay] === undefined) {
      review.problems.push(`${where}: after '${delay}' is not in setup({ delays })`);
    }
  }
  for (const child of Object.values(node.states)) visitNode(review, child as AnyStateNode);
}

function checkTransition(
  review: Review,
  where: string,
  transition: { readonly actions: readonly unknown[]; readonly guard?: unknown },
): void {
  for (const action of transition.actions) checkAction(review, where, action as Action);
  checkGuard(review, where, transition.guard);
}

function checkGuard(review: Review, where: string, guard: unknown): void {
  if (guard === undefined) return;
  if (typeof guard === 'function') {
    if ('check' in guard) {
      const nested = (guard as { guards?: readonly unknown[] }).guards ?? [];
      for (const item of nested) checkGuard(review, where, item);
      return;
    }
    review.problems.push(`${where}: inline guard; name it in setup({ guards })`);
    return;
  }
  const name = typeof guard === 'string' ? guard : (guard as { type: string }).type;
  if (review.machine.implementations.guards[name] === undefined) {
    review.problems.push(`${where}: guard '${name}' is not in setup({ guards })`);
  }
}

function checkAction(review: Review, where: string, action: Action): void {
  if (typeof action === 'function') {
    if (action.resolve !== undefined) return checkBuiltin(review, where, action);
    review.problems.push(`${where}: inline action '${action.name || '(anonymous)'}'; name it and use requestAction`);
    return;
  }
  const name = typeof action === 'string' ? action : String(action.type);
  if (review.machine.implementations.actions[name] === undefined) {
    review.problems.push(`${where}: action '${name}' is not in setup({ actions })`);
  }
}

function checkBuiltin({ problems }: Review, where: string, action: BuiltinAction): void {
  switch (action.type) {
    case 'xstate.sendTo':
      problems.push(`${where}: sendTo, sendParent and forwardTo need live actors; use a request action with send(…)`);
      break;
    case 'xstate.spawnChild':
      problems.push(`${where}: spawnChild has no durable meaning; use invoke for an effect, spawn(…) for an actor`);
      break;
    case 'xstate.raise':
      if (action.delay !== undefined && typeof action.id !== 'string') {
        problems.push(`${where}: a delayed raise needs an id, raise(event, { id: '…', delay })`);
      }
      break;
    default:
      break;
  }
}

function checkInvokes(review: Review, where: string, node: AnyStateNode): void {
  const configs = node.config.invoke === undefined ? [] : [node.config.invoke].flat();
  for (const config of configs as readonly Record<string, unknown>[]) {
    const { src, id } = config;
    if (typeof src !== 'string') {
      review.problems.push(`${where}: inline invoke; name it in setup({ actors }) with effectLogic()`);
      continue;
    }
    const name = `${where}, invoke '${src}'`;
    if (typeof id !== 'string') review.problems.push(`${name}: give it an explicit id`);
    if (config['systemId'] !== undefined) review.problems.push(`${name}: systemId is not supported`);
    if (config['onSnapshot'] !== undefined) review.problems.push(`${name}: onSnapshot is not supported`);
    if (config['onError'] === undefined) {
      review.problems.push(`${name}: without onError a failure would end the actor; add onError`);
    }
    if (review.effects[src] === undefined) review.problems.push(`${name}: not in the actor's effects`);
    if (review.machine.implementations.actors[src] === undefined) {
      review.problems.push(`${name}: not in setup({ actors })`);
    }
  }
}
