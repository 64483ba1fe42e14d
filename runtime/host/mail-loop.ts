// How mail gets into memory: handed over from a commit of this worker, announced by a hint, or found by the poll.
//
// Owns:     which shards have to be read, the rule when mail may be handed over without reading it.
// Owns not: the queues (residents), what happens with the mail (turns).
//
//   MB1  A lost, repeated or reordered hint costs time only: the poll reads every held shard.
//   MB2  Mail is handed over in memory only while everything older of this worker's shards is in memory too.
//   MB3  A row that was consumed or set aside while it was being read or handed over is not taken again.

import type { Envelope } from '#contracts/envelope.ts';
import type { MailRow, OutgoingMessage, PostAnswer } from '#contracts/ports/actor-store.ts';
import { unbornActor } from '#runtime/core/restore-actor.ts';
import { CREATE_ONLY, type StepInput } from '#runtime/core/actor-state.ts';
import { HandOver, type Ticket } from './hand-over.ts';
import { actorKey, kindOf, type HostParts } from './host-parts.ts';
import type { Leases } from './leases.ts';
import type { Resident, Residents } from './residents.ts';
import { subjects } from './subjects.ts';

const RETRY_MS = 50;

type ReadLimits = { readonly total: number; readonly perActor: number };

export type MailCallbacks = {
  readonly wake: (resident: Resident) => void;
  /** Enough of what was read is still waiting for its actors to be loaded. */
  readonly isHeldUp: () => boolean;
};

export class MailLoop {
  readonly #parts: HostParts;
  readonly #leases: Leases;
  readonly #residents: Residents;
  readonly #callbacks: MailCallbacks;
  readonly #dirty = new Set<number>();
  readonly #backlogged = new Set<Resident>();
  readonly handOver = new HandOver();
  /** On its way to the dead letters: nobody takes it meanwhile. */
  readonly #withheld = new Set<number>();
  #loads = 0;
  #isLoading = false;
  #isScheduled = false;
  /** Every held shard was read to its end since the last one was acquired. */
  #isComplete = false;
  #wantsFullRead = false;
  /** Rows of the last reading that nobody here can take; they come with every reading. */
  #unmoved = 0;
  /** What is read again after a pause. */
  #later = { isArmed: false, isFull: false, shards: new Set<number>() };
  #stopped = false;
  handedOver = 0;
  loaded = 0;

  constructor(parts: HostParts, leases: Leases, residents: Residents, callbacks: MailCallbacks) {
    this.#parts = parts;
    this.#leases = leases;
    this.#residents = residents;
    this.#callbacks = callbacks;
  }

  stop(): void {
    this.#stopped = true;
  }

  get isBusy(): boolean {
    return this.#isLoading || this.#isScheduled;
  }

  markDirty(shard: number): void {
    if (!this.#leases.isWorking(shard)) return;
    this.#dirty.add(shard);
    this.#schedule();
  }

  /** Reads every held shard; until that is done no mail is handed over (after an acquisition). */
  readAll(isAcquisition: boolean): void {
    if (isAcquisition) {
      this.#isComplete = false;
      this.handOver.acquired();
    }
    this.#wantsFullRead = true;
    this.#schedule();
  }

  /** The queue ran empty while the store may hold more. */
  refill(resident: Resident): void {
    if (resident.backlog !== 0) this.markDirty(resident.shard);
  }

  noteConsumed(inputs: readonly StepInput[]): void {
    for (const input of inputs) if (input.kind === 'mail') this.handOver.gone(input.mailId);
  }

  /** Memory let go of this actor while the store has mail for it: what comes later must not overtake that. */
  leave({ project, address, shard, definition }: Resident): void {
    if (!this.#leases.isWorking(shard)) return;
    const fresh = this.#residents.open(project, address, shard, definition);
    fresh.backlog = this.#loads + 1;
    this.#backlogged.add(fresh);
  }

  withhold(mailId: number): void {
    this.#withheld.add(mailId);
  }

  /** The store answered: it is a dead letter, or mail as before, which the next reading finds. */
  release(mailId: number): void {
    this.#withheld.delete(mailId);
    this.handOver.gone(mailId);
  }

  /** Stores mail from outside. */
  async post(message: OutgoingMessage): Promise<PostAnswer | undefined> {
    const ticket = this.handOver.begin();
    try {
      const [answer] = await this.#parts.store.post([message]);
      if (answer?.verdict === 'stored') this.deliver({ ...message, mailId: answer.mailId }, ticket);
      return answer;
    } finally {
      this.handOver.end(ticket);
    }
  }

  /**
   * A message that was stored by a call of this worker, begun with this ticket; without one nobody knows what happened since.
   * False: it waits in the store.
   */
  deliver(message: OutgoingMessage, ticket: Ticket | null): boolean {
    const { envelope, shard, payloadHash, mailId } = message;
    if (!this.#leases.isWorking(shard)) {
      this.#parts.bus.publish(subjects.mail(shard), '');
      return false;
    }
    const definition = this.#parts.definitions.get(kindOf(envelope.to));
    if (definition === undefined) {
      this.markDirty(shard);
      return false;
    }
    if (this.handOver.isGone(mailId)) return true;
    const { project, to } = envelope;
    let resident = this.#residents.find(project, to);
    if (this.#isFull) {
      // nothing is handed over before a reading that begins now has found the end
      if (resident !== undefined) this.#leaveInStore(resident);
      this.#isComplete = false;
      this.readAll(false);
      return false;
    }
    const isCurrent = ticket !== null && this.handOver.isCurrent(ticket);
    if (!isCurrent || !this.#isComplete) {
      // what comes later must not overtake it
      this.#leaveInStore(resident ?? this.#residents.open(project, to, shard, definition));
      this.markDirty(shard);
      return false;
    }
    if (resident === undefined) {
      resident = this.#residents.open(project, to, shard, definition);
      // most often it really does not exist; when it does, the first commit is refused and its row is read
      if (envelope.event.type === CREATE_ONLY) resident.state = unbornActor(definition, envelope, shard);
    }
    if (resident.backlog !== 0) {
      this.#leaveInStore(resident);
      return false;
    }
    const isQueued = this.#enqueue(resident, { kind: 'mail', mailId, envelope, payloadHash });
    if (isQueued) this.handedOver += 1;
    return isQueued;
  }

  #enqueue(resident: Resident, input: StepInput): boolean {
    if (resident.phase === 'parked') return false;
    const outcome = this.#residents.enqueue(resident, input);
    if (outcome === 'full') this.#leaveInStore(resident);
    else this.#callbacks.wake(resident);
    return outcome === 'queued';
  }

  #leaveInStore(resident: Resident): void {
    resident.backlog = this.#loads + 1;
    this.#backlogged.add(resident);
    this.#callbacks.wake(resident);
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isLoading || this.#stopped) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      void this.#load();
    });
  }

  async #load(): Promise<void> {
    const isFull = this.#wantsFullRead;
    const shards = isFull ? this.#leases.held() : [...this.#dirty];
    this.#wantsFullRead = false;
    this.#dirty.clear();
    if (shards.length === 0 || this.#stopped) return;
    this.#isLoading = true;
    this.#loads += 1;
    const limits = this.#readLimits();
    const ticket = this.handOver.begin();
    try {
      const rows = await this.#parts.store.loadMail(shards, limits);
      // a reading of everything is under way already: what this one saw another worker may have taken
      if (!this.handOver.isCurrent(ticket)) return;
      const isTruncated = !this.#route(rows, shards, limits);
      if (isFull) this.#isComplete = !isTruncated && !this.#wantsFullRead;
      if (isTruncated) this.#retry(isFull, shards);
    } catch (cause) {
      this.#parts.logger.warn('reading mail failed', { cause: String(cause) });
      this.#retry(isFull, shards);
    } finally {
      this.#isLoading = false;
      this.handOver.end(ticket);
      if (this.#dirty.size > 0 || this.#wantsFullRead) this.#schedule();
    }
  }

  /** What is in memory and what nobody here can take comes again; beyond that it reads as much as there is room for. */
  #readLimits(): ReadLimits {
    const { loadedMail, queuedMessages, queuedPerActor, foldedMessages } = this.#parts.limits;
    const known = this.#residents.knownMessages;
    const room = Math.min(loadedMail, Math.max(0, queuedMessages - known));
    return { total: known + this.#unmoved + room, perActor: queuedPerActor + foldedMessages };
  }

  get #isFull(): boolean {
    return this.#residents.knownMessages >= this.#parts.limits.queuedMessages;
  }

  #retry(isFull: boolean, shards: readonly number[]): void {
    this.#later.isFull ||= isFull;
    if (!isFull) for (const shard of shards) this.#later.shards.add(shard);
    if (this.#later.isArmed) return;
    this.#later.isArmed = true;
    this.#parts.clock.after(RETRY_MS, () => this.#again());
  }

  #again(): void {
    const { isFull, shards } = this.#later;
    this.#later = { isArmed: false, isFull: false, shards: new Set() };
    const isAhead = this.#residents.knownMessages > 2 * this.#parts.limits.loadedMail;
    if (isAhead || (isFull && this.#callbacks.isHeldUp())) return this.#retry(isFull, [...shards]);
    if (isFull) this.readAll(false);
    else for (const shard of shards) this.markDirty(shard);
  }

  /** Takes the rows into memory; true: these were all there are. */
  #route(rows: readonly MailRow[], shards: readonly number[], { total, perActor }: ReadLimits): boolean {
    const counts = new Map<string, number>();
    let unmoved = 0;
    let isAll = rows.length < total;
    for (const row of rows) {
      if (this.#isFull && partsOf(row).priority !== 'operator') {
        isAll = false;
        break;
      }
      if (!this.#leases.isWorking(row.shard)) continue;
      const resident = this.#receiver(row);
      if (resident === null || resident.phase === 'parked') unmoved += 1;
      if (resident === null) continue;
      const { envelope, mailId, payloadHash } = row;
      counts.set(resident.key, (counts.get(resident.key) ?? 0) + 1);
      if (this.handOver.isGone(mailId) || this.#withheld.has(mailId)) continue;
      if (this.#enqueue(resident, { kind: 'mail', mailId, envelope, payloadHash })) {
        this.loaded += 1;
        if (row.attempts > 0) resident.attempts.set(mailId, row.attempts);
      }
    }
    this.#unmoved = isAll ? unmoved : Math.max(this.#unmoved, unmoved);
    if (isAll) this.#settleBacklogs(new Set(shards), counts, perActor);
    return isAll;
  }

  #settleBacklogs(read: ReadonlySet<number>, counts: ReadonlyMap<string, number>, perActor: number): void {
    for (const resident of this.#backlogged) {
      if (!read.has(resident.shard) || resident.backlog > this.#loads) continue;
      if ((counts.get(resident.key) ?? 0) >= perActor) continue;
      resident.backlog = 0;
      this.#backlogged.delete(resident);
    }
    for (const [key, count] of counts) {
      const resident = this.#residents.byKey(key);
      if (count < perActor || resident === undefined || resident.backlog !== 0) continue;
      resident.backlog = this.#loads;
      this.#backlogged.add(resident);
    }
  }

  #receiver(row: MailRow): Resident | null {
    const { messageId, project, to, from, event } = partsOf(row);
    const texts = [messageId, project, to, from, event?.type];
    if (project === undefined || to === undefined || texts.some((text) => typeof text !== 'string')) {
      this.#setAside(row, 'request.invalid: the message cannot be read');
      return null;
    }
    const definition = this.#parts.definitions.get(kindOf(to));
    if (definition === undefined) {
      // while versions are being exchanged another worker may know it
      const ageMs = this.#parts.clock.nowMs() - Date.parse(row.envelope.sentAt);
      if (ageMs < this.#parts.limits.unknownKindMs) return null;
      this.#setAside(row, `actor.unknown_kind: nobody here knows '${kindOf(to)}'`);
      return null;
    }
    return this.#residents.byKey(actorKey(project, to)) ?? this.#residents.open(project, to, row.shard, definition);
  }

  #setAside(row: MailRow, reason: string): void {
    const epoch = this.#leases.epochOf(row.shard);
    if (epoch === null) return;
    this.#parts.logger.warn('mail set aside', { mailId: row.mailId, reason });
    this.#parts.store
      .setAsideMail(this.#parts.workerId, { shard: row.shard, epoch }, row.mailId, reason)
      .catch((cause: unknown) => this.#parts.logger.warn('setting mail aside failed', { cause: String(cause) }));
  }
}

/** What is stored may be anything; a hand or a bug may have written it. */
function partsOf({ envelope }: MailRow): Partial<Envelope> {
  return (envelope as Partial<Envelope> | null) ?? {};
}
