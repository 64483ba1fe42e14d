// From a stored row to an actor that can take steps, or the reason why it cannot.
//
//   UP1  A snapshot of another definition is used only when that definition was released, and through the actor's own `upgrade`.
//   UP2  Timers and effects that the state does not imply, or an awaited effect it does not name, stop the actor as
//        `needs_migration`; nothing is dropped in silence.

import type { AnyMachineSnapshot, AnyStateNode } from 'xstate';
import { fail } from '#contracts/errors.ts';
import type { Json } from '#contracts/json.ts';
import type { ActorRow, LoadedActor } from '#contracts/ports/actor-store.ts';
import type { Envelope } from '#contracts/envelope.ts';
import type { ActorState } from './actor-state.ts';
import type { ActorDefinition } from './define-actor.ts';
import { orderRegions } from './document-order.ts';
import { applyChanges, type Change, type Draft } from './draft.ts';
import { openScope, standInsOf } from './scope.ts';
import { readStoredSnapshot, type StoredSnapshot } from './stored-snapshot.ts';

export type Restored =
  | { readonly kind: 'ready'; readonly state: ActorState }
  /** The state was carried over; `rearm` belongs into the next draft before any message. */
  | { readonly kind: 'upgraded'; readonly state: ActorState }
  | { readonly kind: 'needs_migration'; readonly state: ActorState; readonly reason: string };

export function restoreActor(definition: ActorDefinition, loaded: LoadedActor): Restored {
  const { row } = loaded;
  const stored = readStoredSnapshot(row.snapshot);
  const base = baseState(loaded, stored);
  if (row.status !== 'active' && row.status !== 'needs_migration') return { kind: 'ready', state: base };
  if (stored === null) return { kind: 'needs_migration', state: base, reason: 'the snapshot has an unknown format' };
  try {
    if (row.defHash !== definition.defHash) return upgradeActor(definition, row, stored, base);
    const snapshot = restoreSnapshot(definition, stored.state, stored.invokes);
    const problem = findMismatch(snapshot, base);
    if (problem !== null) return { kind: 'needs_migration', state: base, reason: problem };
    return { kind: 'ready', state: { ...base, snapshot, status: 'active' } };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return { kind: 'needs_migration', state: base, reason };
  }
}

/** An actor that does not exist yet, as the mail that creates it describes it. */
export function unbornActor(definition: ActorDefinition, envelope: Envelope, shard: number): ActorState {
  const fence = envelope.create?.fence;
  return {
    project: envelope.project,
    address: envelope.to,
    shard,
    seq: 0,
    eventSeq: 0,
    status: 'active',
    machineVersion: definition.version,
    defHash: definition.defHash,
    fence: fence === undefined ? null : { scope: fence.scope, generation: Number(fence.generation) },
    parent: envelope.from.includes('/') ? envelope.from : null,
    armed: 0,
    invokes: {},
    timers: new Map(),
    effects: new Map(),
    snapshot: null,
    stored: null,
  };
}

/** A snapshot for reading only, of an actor in any status; `null` when this definition cannot read it. */
export function readSnapshot(definition: ActorDefinition, row: ActorRow): AnyMachineSnapshot | null {
  const stored = readStoredSnapshot(row.snapshot);
  if (stored === null || row.defHash !== definition.defHash) return null;
  try {
    return restoreSnapshot(definition, stored.state, stored.invokes);
  } catch {
    return null;
  }
}

/** Arms what the upgraded state implies and has no row for, and deletes rows it does not imply. */
export function rearm(draft: Draft, nowMs: number): void {
  const { snapshot } = draft.state;
  if (snapshot === null) return;
  const changes: Change[] = [];
  const timers = impliedTimers(snapshot);
  for (const timerId of draft.state.timers.keys()) {
    if (isAfterTimer(timerId) && !timers.has(timerId)) changes.push({ change: 'timerDeleted', timerId });
  }
  for (const [timerId, delay] of timers) {
    if (draft.state.timers.has(timerId)) continue;
    const dueAtMs = nowMs + delayOf(snapshot, delay);
    changes.push({ change: 'timerSet', timerId, dueAtMs, event: { type: timerId } });
  }
  const invokes = impliedInvokes(snapshot);
  for (const invokeId of Object.keys(draft.state.invokes)) {
    if (!invokes.has(invokeId)) changes.push({ change: 'effectDropped', invokeId });
  }
  for (const [invokeId, invoke] of invokes) {
    if (draft.state.invokes[invokeId] === undefined) changes.push(declare(draft, invokeId, invoke, nowMs));
  }
  applyChanges(draft, changes);
  snapshot.children = standInsOf(draft.state.invokes);
}

function baseState(loaded: LoadedActor, stored: StoredSnapshot | null): ActorState {
  const { row } = loaded;
  return {
    project: row.project,
    address: row.address,
    shard: row.shard,
    seq: row.seq,
    eventSeq: row.eventSeq,
    status: row.status,
    machineVersion: row.machineVersion,
    defHash: row.defHash,
    fence: row.fence,
    parent: stored?.parent ?? null,
    armed: stored?.armed ?? 0,
    invokes: stored?.invokes ?? {},
    timers: new Map(loaded.timers.map((timer) => [timer.timerId, timer])),
    effects: new Map(loaded.effects.map((effect) => [effect.effectId, effect])),
    snapshot: null,
    stored: row.snapshot,
  };
}

function upgradeActor(definition: ActorDefinition, row: ActorRow, stored: StoredSnapshot, base: ActorState): Restored {
  const reason = `written by definition ${row.defHash} (version ${row.machineVersion}), this one is ${definition.defHash}`;
  if (!definition.released.some(({ defHash }) => defHash === row.defHash)) {
    return {
      kind: 'needs_migration',
      state: base,
      reason: `${reason}; no release had that one, so there is nothing to upgrade from`,
    };
  }
  const upgraded = definition.upgrade?.({
    machineVersion: row.machineVersion,
    defHash: row.defHash,
    value: stored.state.value,
    historyValue: stored.state.historyValue,
    context: stored.state.context,
  });
  if (upgraded === undefined) return { kind: 'needs_migration', state: base, reason: `${reason}, and has no upgrade` };
  if (upgraded === null) return { kind: 'needs_migration', state: base, reason: `${reason}; its upgrade declined` };
  const snapshot = restoreSnapshot(definition, { ...stored.state, ...upgraded }, stored.invokes);
  const { version: machineVersion, defHash } = definition;
  return { kind: 'upgraded', state: { ...base, snapshot, status: 'active', machineVersion, defHash } };
}

function restoreSnapshot(
  definition: ActorDefinition,
  state: StoredSnapshot['state'],
  invokes: Readonly<Record<string, string>>,
): AnyMachineSnapshot {
  const { scope } = openScope(definition.kind);
  const bare = { ...state, output: state.output, error: state.error, children: {} };
  const snapshot = definition.machine.restoreSnapshot(bare as never, scope) as AnyMachineSnapshot;
  snapshot.children = standInsOf(invokes);
  return orderRegions(snapshot);
}

function findMismatch(snapshot: AnyMachineSnapshot, state: ActorState): string | null {
  const invokes = impliedInvokes(snapshot);
  for (const invokeId of invokes.keys()) {
    if (state.invokes[invokeId] === undefined) return `the state implies the effect '${invokeId}', the row has none`;
  }
  for (const invokeId of Object.keys(state.invokes)) {
    if (!invokes.has(invokeId)) return `the row awaits the effect '${invokeId}', the state does not`;
  }
  for (const effect of state.effects.values()) {
    if (state.invokes[effect.invokeId] !== effect.effectId) return `effect ${effect.effectId} is awaited by no state`;
  }
  const timers = impliedTimers(snapshot);
  for (const timerId of state.timers.keys()) {
    if (isAfterTimer(timerId) && !timers.has(timerId)) return `timer '${timerId}' belongs to no active state`;
  }
  return null;
}

type Delay = number | string;
type Invoke = { readonly src: string; readonly input?: unknown };

function isAfterTimer(timerId: string): boolean {
  return timerId.startsWith('xstate.after.');
}

/** A timer that already fired leaves its state active, so a missing row is no mismatch; a row too many is. */
function impliedTimers(snapshot: AnyMachineSnapshot): Map<string, Delay> {
  const timers = new Map<string, Delay>();
  for (const node of snapshot._nodes as readonly AnyStateNode[]) {
    for (const transition of node.after) timers.set(String(transition.eventType), transition.delay as Delay);
  }
  return timers;
}

function impliedInvokes(snapshot: AnyMachineSnapshot): Map<string, Invoke> {
  const invokes = new Map<string, Invoke>();
  if (snapshot.status !== 'active') return invokes;
  for (const node of snapshot._nodes as readonly AnyStateNode[]) {
    for (const invoke of node.invoke) invokes.set(invoke.id, invoke as unknown as Invoke);
  }
  return invokes;
}

function delayOf(snapshot: AnyMachineSnapshot, delay: Delay): number {
  const configured: unknown = typeof delay === 'number' ? delay : snapshot.machine.implementations.delays[delay];
  const args = { context: snapshot.context as unknown, event: { type: 'runtime.upgrade' } };
  const resolved = typeof configured === 'function' ? (configured as (args: unknown) => unknown)(args) : configured;
  if (typeof resolved !== 'number') fail('actor.defect', `delay '${delay}' has no number`);
  return Math.max(0, resolved);
}

function declare(draft: Draft, invokeId: string, invoke: Invoke, nowMs: number): Change {
  const effect = draft.definition.effects[invoke.src];
  if (effect === undefined) fail('actor.defect', `'${invoke.src}' is not an effect of '${draft.definition.kind}'`);
  const args = { context: draft.state.snapshot?.context as unknown, event: { type: 'runtime.upgrade' } };
  const input: unknown =
    typeof invoke.input === 'function' ? (invoke.input as (args: unknown) => unknown)(args) : invoke.input;
  return {
    change: 'effectDeclared',
    effect: {
      invokeId,
      src: invoke.src,
      class: effect.class,
      input: (input ?? null) as Json,
      state: 'pending',
      attempt: 0,
      notBeforeMs: nowMs,
    },
  };
}
