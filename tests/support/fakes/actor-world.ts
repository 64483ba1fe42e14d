// Actor world
//
// Actors for tests of the gateway: a small in-memory implementation of ActorClient and EventStreams with the same promises.
// Owns:     de-duplication of messages, the order of events, what each kind answers.
// Owns not: what the product's actors do; a fake task knows its statuses and nothing else.
//
//   AW1  A message id is consumed once per receiver; the same content again is answered from the log, other content is a conflict.
//   AW2  Events of a stream are numbered without gaps and watched in order, old ones first.
//   AW3  `ifEventSeq` is judged before the actor sees the message.

import { createHash } from 'node:crypto';
import { fail } from '#contracts/errors.ts';
import { CREATE_ONLY, type ActorAddress, type ActorEvent } from '#contracts/envelope.ts';
import type { Json } from '#contracts/json.ts';
import type { ActorClient, ActorMessage } from '#contracts/ports/actor-client.ts';
import type { ConsumedMessage, MessageOutcome } from '#contracts/ports/actor-store.ts';
import type { EventStreams, StreamEvent } from '#contracts/ports/event-streams.ts';

export type Turn = { readonly outcome: MessageOutcome; readonly reply?: unknown };

/** What an actor of one kind does with a message; `publish` appends to its stream and returns the event's number. */
export type FakeBehaviour = {
  create(actor: FakeActor, input: Json): void;
  receive(actor: FakeActor, event: ActorEvent & Record<string, unknown>): Turn;
};

export type FakeActor = {
  readonly project: string;
  readonly address: ActorAddress;
  readonly id: string;
  state: Record<string, unknown>;
  seq: number;
  eventSeq: number;
  publish(type: string, data: unknown): number;
};

type Watcher = { cursor: number; readonly listener: (event: StreamEvent) => void; isStopped: boolean };

export class ActorWorld implements ActorClient, EventStreams {
  readonly actors = new Map<string, FakeActor>();
  /** Every message that an actor consumed, in order: repeated ones are not among them. */
  readonly consumed: ActorMessage[] = [];
  readonly #log = new Map<string, { hash: string; answer: ConsumedMessage }>();
  readonly #events = new Map<string, StreamEvent[]>();
  readonly #trimmed = new Map<string, number>();
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #behaviours: Readonly<Record<string, FakeBehaviour>>;
  readonly #nowMs: () => number;

  constructor(behaviours: Readonly<Record<string, FakeBehaviour>>, nowMs: () => number) {
    this.#behaviours = behaviours;
    this.#nowMs = nowMs;
  }

  find(project: string, address: string): FakeActor | undefined {
    return this.actors.get(`${project} ${address}`);
  }

  ofKind(project: string, kind: string): FakeActor[] {
    return [...this.actors.values()].filter((one) => one.project === project && one.address.startsWith(`${kind}/`));
  }

  async send(message: ActorMessage): Promise<void> {
    this.#consume(message);
  }

  async ask(message: ActorMessage): Promise<ConsumedMessage> {
    return this.#consume(message);
  }

  async view(project: string, address: ActorAddress) {
    const actor = this.find(project, address);
    if (actor === undefined) return null;
    const { seq, eventSeq, state } = actor;
    return { address, status: 'active' as const, seq, eventSeq, state: null, view: state as Json };
  }

  async read(project: string, stream: string, afterSeq: number, limit: number): Promise<readonly StreamEvent[]> {
    const first = Math.max(afterSeq, this.#trimmed.get(`${project} ${stream}`) ?? 0);
    return this.#eventsOf(project, stream).slice(first, first + limit);
  }

  watch(project: string, stream: string, afterSeq: number, listener: (event: StreamEvent) => void): () => void {
    const watcher: Watcher = { cursor: afterSeq, listener, isStopped: false };
    const key = `${project} ${stream}`;
    const watchers = this.#watchers.get(key) ?? new Set();
    this.#watchers.set(key, watchers.add(watcher));
    queueMicrotask(() => this.#deliver(project, stream));
    return () => {
      watcher.isStopped = true;
      watchers.delete(watcher);
    };
  }

  /** Events up to this one are no longer kept. */
  trim(project: string, stream: string, upToSeq: number): void {
    this.#trimmed.set(`${project} ${stream}`, upToSeq);
  }

  watcherCount(): number {
    return [...this.#watchers.values()].reduce((sum, watchers) => sum + watchers.size, 0);
  }

  #consume(message: ActorMessage): ConsumedMessage {
    const key = `${message.project} ${message.to} ${message.messageId}`;
    const content = message.contentHash ?? JSON.stringify([message.event, message.create ?? null]);
    const hash = createHash('sha256').update(content).digest('hex');
    const known = this.#log.get(key);
    if (known !== undefined) {
      if (known.hash !== hash) fail('request.conflict', 'this message id was used for other content');
      return known.answer;
    }
    const { actor, turn } = this.#take(message);
    const answer: ConsumedMessage = {
      outcome: turn.outcome,
      seq: actor.seq,
      eventSeq: actor.eventSeq,
      payloadHash: hash,
      reply: JSON.parse(JSON.stringify(turn.reply ?? null)) as Json,
    };
    this.#log.set(key, { hash, answer });
    this.consumed.push(message);
    return answer;
  }

  #take(message: ActorMessage): { actor: FakeActor; turn: Turn } {
    const [kind = '', id = ''] = message.to.split('/');
    const behaviour = this.#behaviours[kind] ?? fail('actor.unknown_kind', `no actor kind ${kind}`);
    const known = this.find(message.project, message.to);
    if (known === undefined) {
      if (message.create === undefined) fail('actor.not_found', `no actor ${message.to}`);
      const actor = this.#newActor(message.project, message.to, id);
      behaviour.create(actor, message.create.input);
      return { actor, turn: { outcome: 'handled' } };
    }
    known.seq += 1;
    if (message.event.type === CREATE_ONLY) return { actor: known, turn: { outcome: 'ignored' } };
    const isStale = message.ifEventSeq !== undefined && message.ifEventSeq !== known.eventSeq;
    if (isStale) return { actor: known, turn: { outcome: 'conflict' } };
    const turn = behaviour.receive(known, { ...message.event });
    if (turn.outcome === 'forbidden')
      fail('actor.forbidden_event', `'${message.event.type}' is not an event of ${kind}`);
    return { actor: known, turn };
  }

  #newActor(project: string, address: ActorAddress, id: string): FakeActor {
    const stream = address.replace('/', ':');
    const actor: FakeActor = { project, address, id, state: {}, seq: 1, eventSeq: 0, publish: () => 0 };
    actor.publish = (type, data) => {
      actor.eventSeq += 1;
      const events = this.#eventsOf(project, stream);
      events.push({ stream, seq: actor.eventSeq, type, data: data as Json, atMs: this.#nowMs() });
      queueMicrotask(() => this.#deliver(project, stream));
      return actor.eventSeq;
    };
    this.actors.set(`${project} ${address}`, actor);
    return actor;
  }

  #eventsOf(project: string, stream: string): StreamEvent[] {
    const key = `${project} ${stream}`;
    const events = this.#events.get(key) ?? [];
    this.#events.set(key, events);
    return events;
  }

  #deliver(project: string, stream: string): void {
    const events = this.#eventsOf(project, stream);
    for (const watcher of this.#watchers.get(`${project} ${stream}`) ?? []) {
      while (!watcher.isStopped && watcher.cursor < events.length) watcher.listener(events[watcher.cursor++]!);
    }
  }
}
