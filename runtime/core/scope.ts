// The actor scope that XState gets from us.
//
// XState's public `transition()` builds a live actor on every call and runs the machine's initial state again.
// The machine's own methods accept any scope, so this one collects what XState would have executed.
// `_bookId`, `_sendInspectionEvent` and the inspection event's `_transitions` are XState internals: the version is pinned,
// and tests/contract/runtime/core/xstate-internals.test.ts notices a change.

import type { AnyActorRef, AnyActorScope, AnyEventObject } from 'xstate';
import { branchOf, type RefusedGuard } from './guard-record.ts';

/** An action as XState hands it to an executor. */
export type EmittedAction = { readonly type: string; readonly params: unknown };

/** One transition that was taken, for the inspector. */
export type Edge = {
  readonly from: string;
  readonly on: string;
  readonly to: readonly string[];
  /** Place among the transitions of `from` on `on`; absent: the first. */
  readonly branch?: number;
  /** Number of the microstep that took it; absent: the first. */
  readonly step?: number;
};

export type Collected = {
  readonly actions: EmittedAction[];
  readonly edges: Edge[];
  readonly refused: RefusedGuard[];
};

type TakenTransition = {
  readonly source: { readonly id: string };
  readonly target?: readonly { readonly id: string }[];
  readonly eventType: string;
};
type Inspection = {
  readonly type: string;
  readonly event?: AnyEventObject;
  readonly _transitions?: readonly TakenTransition[];
};

let collected: Collected = { actions: [], edges: [], refused: [] };
let booked = 0;
let microsteps = 0;

// One for all calls: a step is synchronous, and XState keeps nothing of its scope. Made anew for every step it would cost more
// memory than the step itself.
const system = {
  _bookId: () => `${self.id}:${booked++}`,
  _register: refuse,
  _unregister: ignore,
  _set: refuse,
  _logger: ignore,
  _clock: { setTimeout: refuse, clearTimeout: ignore },
  _sendInspectionEvent: (inspection: Inspection) => {
    if (inspection.type === '@xstate.microstep') collectEdges(collected.edges, inspection, microsteps++);
  },
};
const self = { id: '', sessionId: '', system, _parent: undefined, send: refuse, getSnapshot: ignore };
const scope = {
  self: self as unknown as AnyActorRef,
  id: '',
  sessionId: '',
  system,
  logger: ignore,
  defer: ignore,
  emit: ignore,
  stopChild: ignore,
  actionExecutor: (action: EmittedAction) => {
    collected.actions.push(action);
  },
};

/** The scope for exactly one call of a machine method, and what that call will collect. */
export function openScope(address: string): { readonly scope: AnyActorScope; readonly collected: Collected } {
  collected = { actions: [], edges: [], refused: [] };
  booked = 0;
  microsteps = 0;
  self.id = self.sessionId = scope.id = scope.sessionId = address;
  return { scope: scope as unknown as AnyActorScope, collected };
}

/** Stands in `snapshot.children` for a declared effect, so that XState can name it when it stops it. */
function standIn(invokeId: string): AnyActorRef {
  return { id: invokeId, getSnapshot: ignore } as unknown as AnyActorRef;
}

/** One for every awaited invoke. */
export function standInsOf(invokes: Readonly<Record<string, string>>): Record<string, AnyActorRef> {
  const refs: Record<string, AnyActorRef> = {};
  for (const id in invokes) refs[id] = standIn(id);
  return refs;
}

function collectEdges(edges: Edge[], inspection: Inspection, step: number): void {
  for (const taken of inspection._transitions ?? []) {
    const branch = branchOf(taken);
    edges.push({
      from: taken.source.id,
      on: taken.eventType,
      to: (taken.target ?? []).map((node) => node.id),
      ...(branch === 0 ? {} : { branch }),
      ...(step === 0 ? {} : { step }),
    });
  }
}

function ignore(): void {}

function refuse(): never {
  throw new TypeError('a durable actor has no live XState actors; use a request action');
}
