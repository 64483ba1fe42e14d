import type { Json } from '../json.ts';
import { leafPointers, parentPointer } from './json-pointer.ts';
import type { Origin, Origins, TaskSpec } from './task-spec.ts';

/** TS-02: the origin of the value at a pointer: its own, or that of the nearest list or record around it. */
export function originAt(origins: Origins, pointer: string): Origin | undefined {
  for (let at: string | null = pointer; at !== null; at = parentPointer(at)) {
    const origin = Object.hasOwn(origins, at) ? origins[at] : undefined;
    if (origin !== undefined) return origin;
  }
  return undefined;
}

/** Pointers of values without an origin of their own. A list is not enough: each member says where it came from. */
export function unstatedOrigins(spec: TaskSpec, origins: Origins): string[] {
  return leafPointers(spec as Json).filter((pointer) => !Object.hasOwn(origins, pointer));
}

export const statesEveryOrigin = (spec: TaskSpec, origins: Origins): boolean =>
  unstatedOrigins(spec, origins).length === 0;

/** One origin for every value of a spec; what is stated stays as it is, what no longer exists goes. */
export function completeOrigins(spec: TaskSpec, stated: Origins, otherwise: Origin): Origins {
  const entries = leafPointers(spec as Json).map((pointer) => [pointer, originAt(stated, pointer) ?? otherwise]);
  return Object.fromEntries(entries) as Origins;
}

/** Values a user has not said and nobody has confirmed. */
export function unconfirmedPointers(spec: TaskSpec, origins: Origins): string[] {
  return leafPointers(spec as Json).filter(
    (pointer) => originAt(origins, pointer) === 'inferred_awaiting_confirmation',
  );
}
