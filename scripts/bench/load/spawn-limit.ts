import type { Envelope } from '#contracts/envelope.ts';
import type { CommitEntry, OutgoingMessage } from '#contracts/ports/actor-store.ts';
import type { DatabaseConnection } from '#persistence/connection.ts';
import { createPostgresActorStore, type PostgresActorStore } from '#persistence/stores/actor-store.ts';
import { childName, SPAWNED_AT_ONCE, sleeperActor } from './crowd-actors.ts';

const OWNER = 'spawn-limit';
const PROJECT = 'spawn-limit';
const BATCH_ENTRIES = 128;
const WRITERS = 2;

/**
 * The limit of spawning: the rows of births through the same driver and statement in batches on two connections, without
 * actors. A parent's row that sends the mail, then the children's rows that consume it; a loop fills in counters.
 */
export async function measureSpawnLimit(connection: DatabaseConnection, actors: number): Promise<number> {
  const store = createPostgresActorStore({ connection });
  try {
    const rows = new BirthRows(store);
    await rows.prepare();
    const startedAt = performance.now();
    let next = 0;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      while (next < actors) {
        const from = next;
        next = Math.min(actors, next + SPAWNED_AT_ONCE);
        await rows.bear(writer, from, next);
      }
    });
    await Promise.all(writers);
    return actors / ((performance.now() - startedAt) / 1000);
  } finally {
    await store.close();
  }
}

class BirthRows {
  readonly #store: PostgresActorStore;
  readonly #epochs = new Map<number, number>();
  readonly #parentSeq: number[] = [];
  #nextMailId = 2 ** 40;
  #commits = 0;

  constructor(store: PostgresActorStore) {
    this.#store = store;
  }

  async prepare(): Promise<void> {
    const shards = Array.from({ length: 256 }, (_, shard) => shard);
    for (const { shard, epoch } of await this.#store.acquireShards(OWNER, shards, 0)) this.#epochs.set(shard, epoch);
  }

  async bear(writer: number, from: number, to: number): Promise<void> {
    const mail = Array.from({ length: to - from }, (_, at) => this.#mailOf(writer, from + at));
    await this.#commit([this.#parentOf(writer, mail)]);
    for (let start = 0; start < mail.length; start += BATCH_ENTRIES) {
      await this.#commit(mail.slice(start, start + BATCH_ENTRIES).map((message) => this.#childOf(message)));
    }
  }

  async #commit(entries: readonly CommitEntry[]): Promise<void> {
    this.#commits += 1;
    const verdicts = await this.#store.commit(OWNER, `limit-${this.#commits}`, entries);
    if (verdicts.some((verdict) => verdict !== 'committed')) throw new Error('a birth of the limit did not land');
  }

  #mailOf(writer: number, index: number): OutgoingMessage {
    const [from, to] = [parentName(writer), childName('sleeper', index)];
    const envelope: Envelope = {
      messageId: `${from}:1:${index}`,
      project: PROJECT,
      to,
      from,
      priority: 'normal',
      event: CREATION,
      create: { input: { napMs: 0 } },
      sentAt: new Date().toISOString(),
    };
    const mailId = this.#nextMailId;
    this.#nextMailId += 1;
    return { envelope, text: JSON.stringify(envelope), shard: index % 256, payloadHash: '', mailId };
  }

  #parentOf(writer: number, outgoing: readonly OutgoingMessage[]): CommitEntry {
    const seq = this.#parentSeq[writer] ?? 0;
    this.#parentSeq[writer] = seq + 1;
    return { ...this.#rowOf(parentName(writer), writer, seq), outgoing };
  }

  #childOf({ envelope, shard, mailId }: OutgoingMessage): CommitEntry {
    const row = this.#rowOf(envelope.to, shard, 0);
    return { ...row, consumedMail: [{ mailId, priority: 'normal' }] };
  }

  #rowOf(address: string, shard: number, seq: number): CommitEntry {
    const transition = { ...BIRTH, messageId: `${address}:${seq}`, from: parentName(0) };
    const epoch = this.#epochs.get(shard) ?? 0;
    return { ...NOTHING, project: PROJECT, address, shard, epoch, expectedSeq: seq, transitions: [transition] };
  }
}

const parentName = (writer: number): string => `hive/limit${writer}`;
const CREATION = { type: 'runtime.create' };

const BIRTH = {
  index: 0,
  eventType: CREATION.type,
  payloadHash: '',
  outcome: 'handled',
  stateBefore: null,
  stateAfter: 'asleep',
  detail: { edges: [], context: { napMs: 0, pokes: 0 }, event: CREATION },
  reply: null,
  durationMicros: 20,
} as const;

const STATE = { status: 'active', value: 'asleep', historyValue: {}, context: { napMs: 0, pokes: 0 } };

const NOTHING = {
  next: {
    machineVersion: 1,
    defHash: sleeperActor.defHash,
    status: 'active',
    eventSeq: 0,
    fence: null,
    snapshot: null,
    snapshotText: JSON.stringify({ format: 1, state: STATE, invokes: {}, armed: 0, parent: parentName(0) }),
  },
  requires: null,
  consumedMail: [],
  outgoing: [],
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
