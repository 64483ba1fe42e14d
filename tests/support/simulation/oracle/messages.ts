// Where every message is: waiting in one mailbox, taken by one commit, or set aside. Never two of them, never none.
//
//   MB-14  It is taken from where it waits, and there is nothing else in the mailboxes.
//   OB-01  Only what a commit or a post stored can be taken.
//   MB-07  A message is taken once.
//   MB-03  Mail of one sender is taken in the order in which it was sent.

import type { CommitEntry, OutgoingMessage, TransitionRow } from '#contracts/ports/actor-store.ts';
import type { Envelope } from '#contracts/envelope.ts';
import type { ActorTables, Cell } from '#persistence/memory/actor-tables.ts';
import type { Problems } from './violation.ts';

type Place = 'waiting' | 'taken' | 'aside';
type Message = {
  readonly key: string;
  readonly messageId: string;
  readonly mailId: number;
  place: Place;
  /** What has to come in order, and where this one stands; `null`: no promise. */
  readonly lane: string | null;
  readonly order: number;
};

/** Room for the messages of one commit between two commits of a sender. */
const MESSAGES_OF_A_COMMIT = 1000;

export class Messages {
  readonly #problems: Problems;
  readonly #tables: ActorTables;
  readonly #byKey = new Map<string, Message>();
  readonly #lanes = new Map<string, number>();
  readonly #highestId = new Map<string, number>();
  /** Outside mail whose storing was told to its sender. */
  readonly #acknowledged = new Set<string>();
  taken = 0;

  constructor(problems: Problems, tables: ActorTables) {
    this.#problems = problems;
    this.#tables = tables;
  }

  acknowledge(to: string, messageId: string): void {
    this.#acknowledged.add(`${to}\n${messageId}`);
  }

  isAcknowledged(to: string, messageId: string): boolean {
    return this.#acknowledged.has(`${to}\n${messageId}`);
  }

  sent({ envelope, mailId }: OutgoingMessage): void {
    const { to, from, messageId, priority } = envelope;
    const key = `${to}\n${messageId}`;
    if (this.#byKey.has(key)) this.#problems.add('MB-07', `${messageId} to ${to} was stored twice`);
    const lane = from.includes('/') ? `${from}>${to}:${priority}` : null;
    if (lane !== null) {
      if (mailId <= (this.#highestId.get(lane) ?? 0))
        this.#problems.add('MB-03', `${messageId} to ${to} has the mail id ${mailId}, not above those before`);
      this.#highestId.set(lane, mailId);
    }
    this.#byKey.set(key, { key, messageId, mailId, place: 'waiting', lane, order: orderOf(messageId) });
  }

  /** Right before the commit: every mail it consumes waits. */
  checkConsumed(entry: CommitEntry, cell: Cell | undefined): void {
    const ids = new Set(entry.consumedMail.map(({ mailId }) => mailId));
    if (ids.size !== entry.consumedMail.length) this.#problems.add('MB-07', `${entry.address} consumes a mail twice`);
    for (const { mailId } of entry.consumedMail) {
      if (cell?.mail.has(mailId) !== true)
        this.#problems.add('MB-14', `${entry.address} consumed mail ${mailId}, which does not wait`);
    }
  }

  consumed(entry: CommitEntry): void {
    const rows = entry.transitions.filter((row) => row.from !== 'timer');
    if (rows.length !== entry.consumedMail.length)
      this.#problems.add('MB-07', `${entry.address} logs ${rows.length} of ${entry.consumedMail.length} messages`);
    this.#checkPriority(entry);
    for (const row of rows) this.#take(entry.address, row);
  }

  setAside(to: string, messageId: string): void {
    const message = this.#byKey.get(`${to}\n${messageId}`);
    if (message?.place !== 'waiting') this.#problems.add('MB-14', `${messageId} to ${to} was set aside, not waiting`);
    else message.place = 'aside';
  }

  placeOf(to: string, messageId: string): Place | null {
    return this.#byKey.get(`${to}\n${messageId}`)?.place ?? null;
  }

  /** The mailboxes hold what they should, no more and no less. */
  scan(): void {
    let waiting = 0;
    for (const message of this.#byKey.values()) if (message.place === 'waiting') waiting += 1;
    let stored = 0;
    for (const cell of this.#tables.cells.values()) {
      stored += cell.mail.size;
      for (const { envelope } of cell.mail.values()) this.#checkWaiting(envelope);
    }
    if (waiting !== stored) this.#problems.add('MB-14', `${stored} mails are stored, ${waiting} should be`);
  }

  #checkWaiting({ to, messageId }: Envelope): void {
    const place = this.placeOf(to, messageId);
    if (place !== 'waiting') this.#problems.add('MB-14', `${messageId} to ${to} waits and is ${place ?? 'not sent'}`);
  }

  #checkPriority({ address, consumedMail, expectedSeq }: CommitEntry): void {
    let sawNormal = false;
    // before everything else an actor has to be born
    for (const { priority } of expectedSeq === 0 ? consumedMail.slice(1) : consumedMail) {
      if (priority === 'normal') sawNormal = true;
      else if (sawNormal)
        this.#problems.add('MB-04', `${address} took operator mail after other mail of the same turn`);
    }
  }

  #take(address: string, { messageId }: TransitionRow): void {
    const message = this.#byKey.get(`${address}\n${messageId}`);
    if (message === undefined) return this.#problems.add('OB-01', `${address} took ${messageId}, which nobody sent`);
    if (message.place !== 'waiting')
      return this.#problems.add('MB-07', `${address} took ${messageId}, which was ${message.place} already`);
    message.place = 'taken';
    this.taken += 1;
    if (message.lane === null) return;
    const last = this.#lanes.get(message.lane) ?? -1;
    if (message.order <= last) this.#problems.add('MB-03', `${address} took ${messageId} after a later one`);
    this.#lanes.set(message.lane, message.order);
  }
}

/** `kind/id:seq:index` in the order of sending. */
function orderOf(messageId: string): number {
  const [index = '0', seq = '0'] = messageId.split(':').toReversed();
  return Number(seq) * MESSAGES_OF_A_COMMIT + Number(index);
}
