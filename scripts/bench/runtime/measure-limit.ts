import type { Envelope } from '#contracts/envelope.ts';
import type { CommitEntry, TransitionRow } from '#contracts/ports/actor-store.ts';
import { createPostgresActorStore, type PostgresActorStore } from '#persistence/stores/actor-store.ts';
import type { BenchDatabase } from '../bench-database.ts';
import { busyActor, PAYLOAD_CHARACTERS } from './busy-actor.ts';
import { window, type Rate, type Span } from './window.ts';

const WRITERS = 2;
const BATCH_ENTRIES = 128;
const OWNER = 'limit';
const PAYLOAD = 'x'.repeat(PAYLOAD_CHARACTERS);

type Row = { readonly index: number; seq: number; mailId: number };

/**
 * The limit: the rows that busy actors make, through the same driver and the same statement in batches on two connections,
 * without actors. Nothing is stepped, routed or decided; a loop fills in counters.
 */
export async function measureLimit(
  database: BenchDatabase,
  concurrency: number,
  span: Span,
  project: string,
): Promise<Rate> {
  const store = createPostgresActorStore({ connection: database.connection });
  let steps = 0;
  let isOver = false;
  try {
    const loop = new RowLoop(store, project, concurrency);
    await loop.prepare();
    const writers = Array.from({ length: WRITERS }, async () => {
      while (!isOver) {
        const done = await loop.commitNext();
        steps += done;
      }
    });
    const rate = await window(span, () => steps);
    isOver = true;
    await Promise.all(writers);
    return rate;
  } finally {
    isOver = true;
    await store.close();
  }
}

class RowLoop {
  readonly #store: PostgresActorStore;
  readonly #project: string;
  readonly #rows: Row[];
  readonly #batch: number;
  readonly #epochs = new Map<number, number>();
  #nextMailId = 2 ** 40;
  #commits = 0;

  constructor(store: PostgresActorStore, project: string, concurrency: number) {
    this.#store = store;
    this.#project = project;
    this.#batch = Math.min(BATCH_ENTRIES, Math.max(1, Math.ceil(concurrency / WRITERS)));
    this.#rows = Array.from({ length: concurrency }, (_, index) => ({ index, seq: 0, mailId: 0 }));
  }

  async prepare(): Promise<void> {
    const shards = Array.from({ length: 256 }, (_, shard) => shard);
    for (const { shard, epoch } of await this.#store.acquireShards(OWNER, shards, 0)) this.#epochs.set(shard, epoch);
    for (let start = 0; start < this.#rows.length; start += BATCH_ENTRIES) {
      await this.#commit(this.#rows.slice(start, start + BATCH_ENTRIES));
    }
  }

  /** Takes a batch of waiting rows and puts them back behind the others; 0 while all are in flight. */
  async commitNext(): Promise<number> {
    const batch = this.#rows.splice(0, this.#batch);
    if (batch.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      return 0;
    }
    await this.#commit(batch);
    this.#rows.push(...batch);
    return batch.length;
  }

  async #commit(batch: readonly Row[]): Promise<void> {
    const entries = batch.map((row) => this.#entryOf(row));
    this.#commits += 1;
    const verdicts = await this.#store.commit(OWNER, `limit-${this.#commits}`, entries);
    if (verdicts.some((verdict) => verdict !== 'committed')) throw new Error('the limit loop lost its lease');
    for (const row of batch) row.seq += 1;
  }

  #entryOf(row: Row): CommitEntry {
    const { index, seq } = row;
    const shard = index % 256;
    const consumed = row.mailId;
    row.mailId = this.#nextMailId;
    this.#nextMailId += 1;
    const envelope = this.#envelopeOf(index, seq);
    return {
      ...NOTHING,
      project: this.#project,
      address: addressOf(index),
      shard,
      epoch: this.#epochs.get(shard) ?? 0,
      expectedSeq: seq,
      next: nextOf(index, seq),
      transitions: [transitionOf(index, seq)],
      consumedMail: consumed === 0 ? [] : [{ mailId: consumed, priority: 'normal' }],
      // the row goes back to its own shard, so that the next round finds it there to delete
      outgoing: [{ envelope, text: JSON.stringify(envelope), shard, payloadHash: '', mailId: row.mailId }],
    };
  }

  #envelopeOf(index: number, seq: number): Envelope {
    const address = addressOf(index);
    return {
      messageId: `${address}:${seq + 1}:0`,
      project: this.#project,
      to: address,
      from: address,
      priority: 'normal',
      event: EVENT,
      sentAt: new Date().toISOString(),
    };
  }
}

const EVENT = { type: 'busy.ball' };
const addressOf = (index: number): string => `busy/b${index}`;
const stateOf = (seq: number): string => (seq % 2 === 0 ? 'even' : 'odd');

function nextOf(index: number, seq: number): CommitEntry['next'] {
  const context = { partner: addressOf(index ^ 1), count: seq, payload: PAYLOAD };
  const state = { status: 'active', value: stateOf(seq), historyValue: {}, context };
  return {
    machineVersion: 1,
    defHash: busyActor.defHash,
    status: 'active',
    eventSeq: 0,
    fence: null,
    snapshot: null,
    snapshotText: JSON.stringify({ format: 1, state, invokes: {}, armed: 0, parent: null }),
  };
}

function transitionOf(index: number, seq: number): TransitionRow {
  const [before, after] = [stateOf(seq + 1), stateOf(seq)];
  const partner = addressOf(index ^ 1);
  const edge = { from: `busy.${before}`, on: EVENT.type, to: [`busy.${after}`] };
  return {
    index: 0,
    messageId: `${partner}:${seq}:0`,
    from: partner,
    eventType: EVENT.type,
    payloadHash: '',
    outcome: 'handled',
    stateBefore: before,
    stateAfter: after,
    detail: { edges: [edge], context: { count: seq }, event: EVENT },
    reply: null,
    durationMicros: 20,
  };
}

const NOTHING = {
  requires: null,
  timersSet: [],
  timersDeleted: [],
  effectsAdded: [],
  effectsDeleted: [],
  writes: [],
  published: [],
  fencesSet: [],
  quarantined: [],
  deadLetters: [],
} as const;
