// The oracle of the simulation: what must hold after every single commit, whatever happens around it.
//
// Owns:     a memory of everything the store was told and what it answered.
// Owns not: the store under test; it only watches.

import type { CommitEntry, CommitVerdict } from '#contracts/ports/actor-store.ts';
import type { MemoryActorStore } from '#persistence/memory/actor-store.ts';

export class Oracle {
  readonly #store: MemoryActorStore;
  readonly #lastSeq = new Map<string, number>();
  readonly #lastEvent = new Map<string, number>();
  readonly #consumed = new Map<string, number>();
  readonly #sent = new Set<string>();
  readonly problems: string[] = [];
  commits = 0;

  constructor(store: MemoryActorStore) {
    this.#store = store;
  }

  /** Whether the leases and fences let each entry land when the statement came. */
  before(owner: string, entries: readonly CommitEntry[]): readonly boolean[] {
    const { leases, fences } = this.#store.tables;
    const allowed = entries.map((entry) => {
      const lease = leases[entry.shard];
      const fence = entry.requires === null ? null : fences.get(entry.requires.scope);
      const holdsFence = fence === null || (fence?.open === true && fence.generation === entry.requires?.generation);
      return lease?.owner === owner && lease.epoch === entry.epoch && holdsFence;
    });
    const sets = entries.some((entry) => entry.fencesSet.length > 0);
    if (sets && entries.some((entry) => entry.requires !== null)) this.#fail('CM-07', 'a fence set met a requirement');
    const addresses = new Set(entries.map((entry) => entry.address));
    if (addresses.size !== entries.length) this.#fail('CM-06', 'two entries of one actor in one batch');
    return allowed;
  }

  after(entries: readonly CommitEntry[], verdicts: readonly CommitVerdict[], allowed: readonly boolean[]): void {
    this.commits += 1;
    entries.forEach((entry, index) => {
      if (verdicts[index] !== 'committed') return;
      if (allowed[index] !== true) this.#fail('FN-03', `${entry.address} committed without lease or fence`);
      this.#checkEntry(entry);
    });
  }

  /** When everything is at rest and every worker lives. */
  atRest(): void {
    for (const cell of this.#store.tables.cells.values()) {
      if (cell.row === null || cell.row.status === 'active') continue;
      if (cell.timers.size > 0) this.#fail('ST-06', `${cell.address} is ${cell.row.status} and has a timer`);
      if (cell.effects.size > 0) this.#fail('ST-06', `${cell.address} is ${cell.row.status} and has an effect`);
    }
    for (const key of this.#sent) {
      const [address = '', messageId = ''] = key.split('\n');
      const cell = this.#store.tables.cells.get(`p\n${address}`);
      const isWaiting = [...(cell?.mail.values() ?? [])].some((mail) => mail.envelope.messageId === messageId);
      const isTaken = cell?.transitions.some((row) => row.messageId === messageId);
      const isDead = this.#store.tables.deadLetters.some(
        (row) => row.messageId === messageId && row.address === address,
      );
      const places = [isWaiting, isTaken || isDead];
      if (places.filter(Boolean).length !== 1) {
        this.#fail('OB-01', `${messageId} to ${address} is in ${places.filter(Boolean).length} places`);
      }
    }
  }

  #checkEntry(entry: CommitEntry): void {
    const { address } = entry;
    const seq = this.#lastSeq.get(address) ?? 0;
    if (entry.expectedSeq !== seq) this.#fail('CM-06', `${address}: seq ${entry.expectedSeq} after ${seq}`);
    this.#lastSeq.set(address, seq + 1);
    for (const event of entry.published) {
      const last = this.#lastEvent.get(event.stream) ?? 0;
      if (event.seq !== last + 1) this.#fail('ST-02', `${event.stream}: event ${event.seq} after ${last}`);
      this.#lastEvent.set(event.stream, event.seq);
    }
    for (const transition of entry.transitions) {
      const key = `${address}\n${transition.messageId}`;
      const times = (this.#consumed.get(key) ?? 0) + 1;
      this.#consumed.set(key, times);
      if (times > 1) this.#fail('MB-01', `${transition.messageId} was consumed ${times} times by ${address}`);
    }
    for (const { envelope } of entry.outgoing) {
      const key = `${envelope.to}\n${envelope.messageId}`;
      if (this.#sent.has(key)) this.#fail('MB-07', `${envelope.messageId} was sent twice`);
      this.#sent.add(key);
    }
  }

  #fail(rule: string, what: string): void {
    this.problems.push(`[${rule}] ${what}`);
  }
}

/** Lets the oracle see every commit of the store. */
export function watchStore(store: MemoryActorStore): Oracle {
  const oracle = new Oracle(store);
  const { commit } = store;
  store.commit = async (owner, commitId, entries) => {
    // the store decides synchronously inside the call, so what holds now is what it sees
    const allowed = oracle.before(owner, entries);
    const verdicts = await commit(owner, commitId, entries);
    oracle.after(entries, verdicts, allowed);
    return verdicts;
  };
  return oracle;
}
