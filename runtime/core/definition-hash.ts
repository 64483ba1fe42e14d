import type { AnyStateMachine } from 'xstate';
import { hash64 } from './hash.ts';

type Named = { readonly type?: unknown; readonly id?: unknown; readonly delay?: unknown };

/** Hash of the structure: states, transitions, names. Bodies of guards, assigns and mappers do not count. */
export function hashDefinition(machine: AnyStateMachine): string {
  return hash64(JSON.stringify(canonical(machine.config)));
}

/** What stands under these is named by the author: a state may well be called `meta`. */
const NAMED_BY_AUTHOR = new Set(['states', 'on', 'after']);

function canonical(value: unknown, isNamedByAuthor = false): unknown {
  if (typeof value === 'function') {
    const named = value as Named;
    return ['function', named.type ?? null, plain(named.id), plain(named.delay)];
  }
  if (Array.isArray(value)) return value.map((item) => canonical(item));
  if (typeof value !== 'object' || value === null) return value;
  const isForPeople = (key: string): boolean => !isNamedByAuthor && (key === 'description' || key === 'meta');
  const entries = Object.entries(value).filter(([key]) => !isForPeople(key));
  return Object.fromEntries(
    entries
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, canonical(item, !isNamedByAuthor && NAMED_BY_AUTHOR.has(key))]),
  );
}

function plain(value: unknown): unknown {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
