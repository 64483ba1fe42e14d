// The log in the words of the Stately inspector (`@statelyai/inspect` 0.7).
//
//   SI1  An actor is announced before anything else of it, then each message is an event, each transition a snapshot after it.
//   SI2  The context of a snapshot is the one before with the logged change; what the log left out shows its length.

import type { MachineGraph, TransitionView } from '#contracts/http/actors.ts';
import type { Json } from '#contracts/json.ts';

/** The version of the protocol that is spoken. */
const PROTOCOL = '0.7.2';

type Context = { readonly [key: string]: Json };
/** The keys that are not there are part of XState's type; JSON leaves them out. */
type Snapshot = { readonly value: Json; readonly context: Context } & (
  | { readonly status: 'active'; readonly output: undefined; readonly error: undefined }
  | { readonly status: 'done'; readonly output: undefined; readonly error: undefined }
);
type Head = {
  readonly sessionId: string;
  readonly rootId: string;
  readonly createdAt: string;
  readonly id: string;
  readonly _version: string;
};
type Event = { readonly type: string; readonly [field: string]: Json };

export type StatelyEvent =
  | (Head & {
      readonly type: '@xstate.actor';
      readonly name: string;
      readonly snapshot: Snapshot;
      readonly definition: string | undefined;
      readonly parentId: string | undefined;
    })
  | (Head & { readonly type: '@xstate.event'; readonly event: Event; readonly sourceId: string | undefined })
  | (Head & { readonly type: '@xstate.snapshot'; readonly event: Event; readonly snapshot: Snapshot });

export type Subject = {
  readonly actor: string;
  readonly parent: string | null;
  readonly root: string;
  readonly definition: Json;
  readonly graph: MachineGraph | null;
};

/** Translates the rows of one actor, from its first. */
export class StatelyTranslation {
  readonly #subject: Subject;
  #context: Context = {};
  #isAnnounced = false;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** Announces an actor whose log does not begin at its birth, as it is now; the rows to translate come after that. */
  announce(state: Json, context: Context, atMs: number): StatelyEvent[] {
    this.#context = context;
    const head = this.#head('now', atMs);
    return [this.#introduce(head, this.#snapshotOf(state))];
  }

  translate(row: TransitionView): StatelyEvent[] {
    // mail that no actor took has no actor to show
    if (row.seq === '0') return [];
    const head = this.#head(row.cursor, Date.parse(row.time));
    const event = eventOf(row);
    if (row.outcome === 'handled') this.#context = contextAfter(this.#context, row);
    const snapshot = this.#snapshotOf(row.state_after as Json);
    const events: StatelyEvent[] = [];
    if (!this.#isAnnounced) events.push(this.#introduce(head, snapshot));
    events.push({ type: '@xstate.event', ...head, event, sourceId: sourceOf(row) });
    if (row.outcome === 'handled') events.push({ type: '@xstate.snapshot', ...head, event, snapshot });
    return events;
  }

  #introduce(head: Head, snapshot: Snapshot): StatelyEvent {
    this.#isAnnounced = true;
    const { actor, parent, definition } = this.#subject;
    const text = definition === null ? undefined : JSON.stringify(definition);
    return { type: '@xstate.actor', ...head, name: actor, snapshot, definition: text, parentId: parent ?? undefined };
  }

  #head(place: string, atMs: number): Head {
    const { actor, root } = this.#subject;
    return { sessionId: actor, rootId: root, createdAt: String(atMs), id: `${actor}:${place}`, _version: PROTOCOL };
  }

  #snapshotOf(state: Json): Snapshot {
    const { graph } = this.#subject;
    const isOver = graph?.states.some(
      ({ key, parent, type }) => type === 'final' && parent === graph.root && key === state,
    );
    const seen = { value: state, context: this.#context, output: undefined, error: undefined };
    return isOver === true ? { ...seen, status: 'done' } : { ...seen, status: 'active' };
  }
}

function contextAfter(before: Context, row: TransitionView): Context {
  const kept = Object.entries(before).filter(([key]) => !row.removed.includes(key));
  return {
    ...Object.fromEntries(kept),
    ...(row.context as Context),
    ...lengths(row.omitted.context),
  };
}

function eventOf(row: TransitionView): Event {
  const fields = typeof row.event === 'object' && row.event !== null && !Array.isArray(row.event) ? row.event : {};
  return { ...(fields as { readonly [field: string]: Json }), ...lengths(row.omitted.event), type: row.event_type };
}

function lengths(omitted: Readonly<Record<string, number>>): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(omitted).map(([key, length]) => [key, `… ${length} characters`]));
}

/** Another actor, by its address; clients, timers and effects are none. */
function sourceOf({ cause }: TransitionView): string | undefined {
  return cause.kind === 'message' && cause.from.includes('/') ? cause.from : undefined;
}
