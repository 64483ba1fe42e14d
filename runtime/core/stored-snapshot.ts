import type { AnyMachineSnapshot } from 'xstate';
import type { ActorAddress } from '#contracts/envelope.ts';
import type { Json } from '#contracts/json.ts';
import type { ActorState } from './actor-state.ts';

/** What `ActorRow.snapshot` holds. */
export type StoredSnapshot = {
  readonly format: 1;
  readonly state: {
    readonly status: 'active' | 'done' | 'error' | 'stopped';
    readonly value: Json;
    readonly historyValue: Json;
    readonly context: Json;
    readonly output?: Json;
    readonly error?: Json;
  };
  readonly invokes: Readonly<Record<string, string>>;
  readonly armed: number;
  readonly parent: ActorAddress | null;
};

/** The storable form; shares the context, so serialise it before the next step. */
export function storeSnapshot(state: ActorState): Json {
  if (state.snapshot === null) return state.stored;
  const { snapshot } = state;
  const stored: StoredSnapshot = {
    format: 1,
    state: {
      status: snapshot.status,
      value: snapshot.value as Json,
      historyValue: storeHistory(snapshot.historyValue),
      context: snapshot.context as Json,
      ...(snapshot.output === undefined ? {} : { output: snapshot.output as Json }),
      ...(snapshot.error === undefined ? {} : { error: describeError(snapshot.error) }),
    },
    invokes: state.invokes,
    armed: state.armed,
    parent: state.parent,
  };
  return stored as unknown as Json;
}

/** `null` when the row was not written by this runtime. */
export function readStoredSnapshot(json: Json): StoredSnapshot | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const candidate = json as unknown as Partial<StoredSnapshot>;
  if (candidate.format !== 1 || typeof candidate.state !== 'object') return null;
  return candidate as StoredSnapshot;
}

function storeHistory(history: AnyMachineSnapshot['historyValue']): Json {
  const entries = Object.entries(history as Record<string, readonly { id: string }[]>);
  return Object.fromEntries(entries.map(([id, nodes]) => [id, nodes.map((node) => ({ id: node.id }))]));
}

function describeError(error: unknown): Json {
  if (error instanceof Error) return { message: error.message };
  return (error ?? null) as Json;
}
