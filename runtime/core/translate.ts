// How XState spells actions, and what each one means here. The only file that knows.

import type { AnyActorRef } from 'xstate';
import { fail } from '#contracts/errors.ts';
import type { Json } from '#contracts/json.ts';
import type { ActorDefinition } from './define-actor.ts';
import type { Change } from './draft.ts';
import { publish, type Request } from './requests.ts';
import type { EmittedAction } from './scope.ts';

export type Translation = { readonly changes: Change[]; readonly requests: Request[]; readonly logs: Json[] };

type Raise = { readonly event: { readonly type: string }; readonly id?: string; readonly delay?: number };
type Spawn = { readonly id?: unknown; readonly src?: unknown; readonly input?: unknown };

export function translateActions(
  definition: ActorDefinition,
  actions: readonly EmittedAction[],
  nowMs: number,
): Translation {
  const translation: Translation = { changes: [], requests: [], logs: [] };
  for (const action of actions) translateAction(definition, action, nowMs, translation);
  return translation;
}

function translateAction(definition: ActorDefinition, action: EmittedAction, nowMs: number, into: Translation): void {
  const params: unknown = action.params;
  switch (action.type) {
    case 'xstate.raise':
      translateRaise(params as Raise, nowMs, into);
      break;
    case 'xstate.cancel':
      into.changes.push({ change: 'timerDeleted', timerId: (params as { sendId: string }).sendId });
      break;
    case 'xstate.spawnChild':
      into.changes.push(declareEffect(definition, params as Spawn, nowMs));
      break;
    case 'xstate.stopChild':
      if (params !== undefined) {
        into.changes.push({ change: 'effectDropped', invokeId: (params as AnyActorRef).id });
      }
      break;
    case 'xstate.emit': {
      const { type, ...data } = (params as { event: { type: string } }).event;
      into.requests.push(publish(type, data));
      break;
    }
    case 'xstate.log':
      into.logs.push(params as Json);
      break;
    default:
      translateCustom(action, into);
  }
}

function translateRaise(params: Raise, nowMs: number, into: Translation): void {
  // without a delay XState already consumed it inside the same macrostep
  if (typeof params.delay !== 'number') return;
  if (params.id === undefined) fail('actor.defect', `a delayed raise of '${params.event.type}' needs an id`);
  const dueAtMs = nowMs + Math.max(0, params.delay);
  into.changes.push({ change: 'timerSet', timerId: params.id, dueAtMs, event: params.event as Json });
}

function declareEffect(definition: ActorDefinition, params: Spawn, nowMs: number): Change {
  const { id, src, input } = params;
  const effect = typeof src === 'string' ? definition.effects[src] : undefined;
  if (typeof id !== 'string' || effect === undefined) {
    fail('actor.defect', `'${String(src)}' is not an effect of '${definition.kind}', or its invoke has no id`);
  }
  return {
    change: 'effectDeclared',
    effect: {
      invokeId: id,
      src: src as string,
      class: effect.class,
      input: (input ?? null) as Json,
      state: 'pending',
      attempt: 0,
      notBeforeMs: nowMs,
    },
  };
}

function translateCustom(action: EmittedAction, into: Translation): void {
  if (action.type.startsWith('xstate.')) {
    fail('actor.defect', `'${action.type}' has no durable meaning; use a request action`);
  }
  const requests: unknown = action.params;
  if (!Array.isArray(requests)) {
    fail('actor.defect', `action '${action.type}': params must give a list of requests, found ${typeof requests}`);
  }
  for (const request of requests) into.requests.push(request as Request);
}
