// Which guards said no.
//
// XState tells which transitions it took, never which it refused. So every guarded transition of a registered machine gets a
// guard that asks the original and notes a refusal, and every transition is numbered among those of its state and event.
//
// Owns:     the record that is open during one step, the numbers of transitions.
// Owns not: the answer; a noticed guard holds exactly when its original does.
//
//   1  Nothing is noted outside `recordGuards`: `can`, graph walks and live actors of the same machine cost one comparison.
//   2  A record holds at most MAX_REFUSED entries, however often an `always` loop asks.

import { and, type AnyEventObject, type AnyStateMachine, type AnyStateNode } from 'xstate';
import type { Json } from '#contracts/json.ts';
import { isLarger } from './json-size.ts';

export type RefusedGuard = {
  readonly guard: string;
  /** The transition it kept from being taken: id of its state, its event, its place among several (absent: the first). */
  readonly from: string;
  readonly on: string;
  readonly branch?: number;
  readonly params?: Json;
};

const MAX_REFUSED = 32;
const MAX_PARAMS_CHARACTERS = 256;

type Arguments = { readonly context: unknown; readonly event: AnyEventObject };
type Check = (snapshot: unknown, args: Arguments, self: unknown) => boolean;
type Builtin = { readonly check: Check; readonly guards?: unknown };
type Guarded = { guard?: unknown; readonly eventType: string };
type Edge = Pick<RefusedGuard, 'from' | 'on' | 'branch'>;

let open: RefusedGuard[] | null = null;
const noticed = new WeakSet<AnyStateMachine>();
const branches = new WeakMap<object, number>();
const originals = new WeakMap<object, unknown>();

/** Guards that refuse while `run` works are added to `refused`. */
export function recordGuards<T>(refused: RefusedGuard[], run: () => T): T {
  const outer = open;
  open = refused;
  try {
    return run();
  } finally {
    open = outer;
  }
}

/** Prepares a machine at its registration; doing it twice is doing it once. */
export function noticeGuards(machine: AnyStateMachine): void {
  if (noticed.has(machine)) return;
  noticed.add(machine);
  visit(machine.root);
}

/** Place of a transition among those of its state and event; 0 for the first, and for what was never registered. */
export function branchOf(transition: object): number {
  return branches.get(transition) ?? 0;
}

/** How a guard is called for people: its name, or the names inside `and(…)`, `or(…)`, `not(…)`. */
export function guardName(guard: unknown): string {
  if (typeof guard === 'string') return guard;
  if (typeof guard !== 'function') return String((guard as { type?: unknown }).type);
  if (originals.has(guard)) return guardName(originals.get(guard));
  const nested = (guard as Partial<Builtin>).guards;
  return Array.isArray(nested) ? `${guard.name}(${nested.map(guardName).join(', ')})` : guard.name;
}

function visit(node: AnyStateNode): void {
  for (const group of [...node.transitions.values(), node.always ?? []]) {
    group.forEach((transition, branch) => {
      branches.set(transition, branch);
      notice(node, transition as unknown as Guarded, branch);
    });
  }
  for (const child of Object.values(node.states)) visit(child as AnyStateNode);
}

function notice(node: AnyStateNode, transition: Guarded, branch: number): void {
  const original = transition.guard;
  if (original === undefined) return;
  const edge: Edge = { from: node.id, on: transition.eventType, ...(branch === 0 ? {} : { branch }) };
  // `and` of one guard is the only public way to have XState evaluate a guard by its name
  const alone = and([original as never]) as unknown as Builtin;
  const check: Check = (snapshot, args) => {
    const holds = ask(alone, snapshot, args, original);
    if (!holds && open !== null && open.length < MAX_REFUSED) open.push(describeRefusal(original, edge, args));
    return holds;
  };
  const stand = Object.assign(neverCalled, { check, guards: [original] });
  originals.set(stand, original);
  transition.guard = stand;

  function neverCalled(): boolean {
    return false;
  }
}

/** XState names the guard that threw only when it stands by its name. */
function ask(alone: Builtin, snapshot: unknown, args: Arguments, original: unknown): boolean {
  try {
    return alone.check(snapshot, args, alone);
  } catch (cause) {
    throw new TypeError(`guard '${guardName(original)}': ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

function describeRefusal(guard: unknown, edge: Edge, args: Arguments): RefusedGuard {
  const params = paramsOf(guard, args);
  const isShown = params !== undefined && !isLarger(params, MAX_PARAMS_CHARACTERS);
  return { guard: guardName(guard), ...edge, ...(isShown ? { params: params as Json } : {}) };
}

function paramsOf(guard: unknown, args: Arguments): unknown {
  if (typeof guard !== 'object' || guard === null || !('params' in guard)) return undefined;
  const { params } = guard;
  return typeof params === 'function' ? (params as (args: Arguments) => unknown)(args) : params;
}
