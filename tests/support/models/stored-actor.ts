// Stored actor
//
// A durable actor between two steps: nothing but text, as a database has it.
// Owns:     the row, its timers and effects as JSON; what a commit entry does to them; mail and effect ids that were used.
// Owns not: the step and the restoring, which are the runtime's own.
//
//   1  Every step begins with parsing and restoring, as after a crash, and ends with text.
//   2  Only rows that a commit entry names change; a step that forgets one is found out at the next restoring.

import { equal } from 'node:assert/strict';
import type { ActorEvent, Envelope } from '#contracts/envelope.ts';
import type { EffectResult } from '#contracts/effect.ts';
import type { Json } from '#contracts/json.ts';
import type { ActorRow, CommitEntry, EffectRow, LoadedActor, TimerRow } from '#contracts/ports/actor-store.ts';
import { EFFECT_RESULT, type ActorState, type StepInput } from '#runtime/core/actor-state.ts';
import type { ActorDefinition } from '#runtime/core/define-actor.ts';
import { finishDraft } from '#runtime/core/finish-draft.ts';
import { isoTime } from '#runtime/core/iso-time.ts';
import { restoreActor, unbornActor } from '#runtime/core/restore-actor.ts';
import { step, type StepVerdict } from '#runtime/core/step.ts';
import { storeSnapshot } from '#runtime/core/stored-snapshot.ts';
import { byId, type Asked, type Observation } from './observation.ts';

type Taken = { readonly verdict: StepVerdict; readonly entry: CommitEntry };
type Ids = { mail: number; readonly effects: string[] };

export class StoredActor {
  readonly definition: ActorDefinition;
  /** Every effect id ever declared, in order. */
  readonly #ids: Ids;
  #rows: string;
  /** Of `#rows`, for looking only; a step parses them anew. */
  #parsed: LoadedActor | null = null;

  private constructor(definition: ActorDefinition, rows: string, ids: Ids) {
    this.definition = definition;
    this.#rows = rows;
    this.#ids = ids;
  }

  static create(definition: ActorDefinition, id: string, input: unknown, nowMs: number): [StoredActor, Asked] {
    const actor = new StoredActor(definition, '', { mail: 0, effects: [] });
    const address = `${definition.kind}/${id}`;
    const mail = actor.#envelope(address, { type: 'runtime.create' }, 'http', nowMs);
    const envelope: Envelope = { ...mail, create: { input: input as never } };
    const taken = actor.#take(unbornActor(definition, envelope, 0), mailInput(envelope), nowMs);
    if (taken.verdict.kind !== 'taken') throw new RangeError(JSON.stringify(taken.verdict));
    return [actor, askedOf(taken.entry)];
  }

  /** Rows as they were stored before. */
  static load(definition: ActorDefinition, loaded: LoadedActor): StoredActor {
    return new StoredActor(definition, JSON.stringify(loaded), { mail: 0, effects: [] });
  }

  /** Another one in the same place, which goes its own way from here. */
  fork(): StoredActor {
    return new StoredActor(this.definition, this.#rows, { mail: this.#ids.mail, effects: [...this.#ids.effects] });
  }

  get effectIds(): readonly string[] {
    return this.#ids.effects;
  }

  get loaded(): LoadedActor {
    this.#parsed ??= JSON.parse(this.#rows) as LoadedActor;
    return this.#parsed;
  }

  mail(event: ActorEvent, nowMs: number): { verdict: StepVerdict; asked: Asked } {
    return this.#step(mailInput(this.#envelope(this.loaded.row.address, event, 'http', nowMs)), nowMs);
  }

  /** The store deletes an effect's row in the statement that makes its result mail. */
  settle(effect: Pick<EffectRow, 'effectId' | 'invokeId'>, result: EffectResult, nowMs: number) {
    const { effectId, invokeId } = effect;
    const { effects, ...rest } = this.loaded;
    this.#store({ ...rest, effects: effects.filter((row) => row.effectId !== effectId) });
    const event = { type: EFFECT_RESULT, effectId, invokeId, result };
    return this.#step(mailInput(this.#envelope(rest.row.address, event, 'effect', nowMs)), nowMs);
  }

  fire(timer: Pick<TimerRow, 'timerId' | 'occurrence'>, nowMs: number) {
    return this.#step({ kind: 'timer', timerId: timer.timerId, occurrence: timer.occurrence }, nowMs);
  }

  observe(): Observation {
    const { row, timers, effects } = this.loaded;
    const { state } = row.snapshot as unknown as { state: Record<string, Json> };
    return {
      status: row.status,
      value: state['value'] ?? null,
      history: state['historyValue'] ?? null,
      context: state['context'] ?? null,
      output: state['output'] ?? null,
      timers: timers.map(({ timerId: id, dueAtMs }) => ({ id, dueAtMs })).sort(byId),
      invokes: effects.map(({ invokeId: id, src, input }) => ({ id, src, input })).sort(byId),
    };
  }

  /** Restores, and proves that storing again gives the same bytes. */
  restore(): ActorState {
    const loaded = JSON.parse(this.#rows) as LoadedActor;
    const restored = restoreActor(this.definition, loaded);
    if (restored.kind !== 'ready') throw new RangeError(`${loaded.row.address} is ${JSON.stringify(restored.kind)}`);
    equal(JSON.stringify(storeSnapshot(restored.state)), JSON.stringify(loaded.row.snapshot));
    return restored.state;
  }

  #step(input: StepInput, nowMs: number): { verdict: StepVerdict; asked: Asked } {
    const { verdict, entry } = this.#take(this.restore(), input, nowMs);
    return { verdict, asked: askedOf(entry) };
  }

  #take(state: ActorState, input: StepInput, nowMs: number): Taken {
    const { draft, verdict } = step(this.definition, state, input, nowMs);
    const entry = finishDraft(draft, () => 'main');
    if (verdict.kind !== 'taken') return { verdict, entry };
    this.#store(applyEntry(entry, this.#rows === '' ? null : this.loaded));
    this.#ids.effects.push(...entry.effectsAdded.map(({ effectId }) => effectId));
    return { verdict, entry };
  }

  #store(rows: LoadedActor): void {
    this.#rows = JSON.stringify(rows);
    this.#parsed = null;
  }

  #envelope(to: string, event: ActorEvent, from: string, nowMs: number): Envelope {
    this.#ids.mail += 1;
    const messageId = `m${this.#ids.mail}`;
    return { messageId, project: 'model', to, from, priority: 'normal', event, sentAt: isoTime(nowMs) };
  }
}

function mailInput(envelope: Envelope): StepInput {
  return { kind: 'mail', mailId: 0, envelope, payloadHash: '' };
}

function applyEntry(entry: CommitEntry, before: LoadedActor | null): LoadedActor {
  const timers = new Map(before?.timers.map((timer) => [timer.timerId, timer]));
  const effects = new Map(before?.effects.map((effect) => [effect.effectId, effect]));
  for (const id of entry.timersDeleted) timers.delete(id);
  for (const timer of entry.timersSet) timers.set(timer.timerId, timer);
  for (const id of entry.effectsDeleted) effects.delete(id);
  for (const effect of entry.effectsAdded) effects.set(effect.effectId, effect);
  const { snapshotText, ...next } = entry.next;
  const row: ActorRow = {
    project: entry.project,
    address: entry.address,
    shard: entry.shard,
    epoch: 1,
    lastCommitId: '',
    ...next,
    seq: entry.expectedSeq + 1,
    snapshot: JSON.parse(snapshotText ?? JSON.stringify(next.snapshot)) as Json,
  };
  return { row, timers: [...timers.values()], effects: [...effects.values()] };
}

function askedOf(entry: CommitEntry): Asked {
  return {
    mail: entry.outgoing.map(({ text }) => {
      const { to, priority, event, create } = JSON.parse(text) as Envelope;
      return { to, priority, event: event as never, create: (create ?? null) as never };
    }),
    published: entry.published.map(({ type, data }) => ({ type, data })),
    written: entry.writes.map(({ table, row }) => ({ table, row })),
    fences: entry.fencesSet.map((fence) => ({ ...fence })),
    reply: entry.transitions[0]?.outcome === 'handled' ? entry.transitions[0].reply : null,
  };
}
