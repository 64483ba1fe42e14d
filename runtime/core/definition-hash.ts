import type { AnyStateMachine } from 'xstate';
import { hash64 } from './hash.ts';

type Named = { readonly type?: unknown; readonly id?: unknown; readonly delay?: unknown };

/** Hash of the structure: states, transitions, names. Bodies of guards, assigns and mappers do not count. */
export function hashDefinition(machine: AnyStateMachine): string {
  return hash64(JSON.stringify(canonical(machine.config)));
}

function canonical(value: unknown): unknown {
  if (typeof value === 'function') {
    const named = value as Named;
    return ['function', named.type ?? null, plain(named.id), plain(named.delay)];
  }
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'description' && key !== 'meta');
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, canonical(item)]));
}

function plain(value: unknown): unknown {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
