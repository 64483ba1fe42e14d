import type { FenceRequirement, FenceState } from '#contracts/effect.ts';
import { isOutsideSender, type ActorAddress, type Envelope } from '#contracts/envelope.ts';
import { fail } from '#contracts/errors.ts';
import type { Json } from '#contracts/json.ts';
import { SHARD_COUNT, type Pool } from '#contracts/shards.ts';
import type {
  ActorRow,
  ConsumedMessage,
  EffectRow,
  MailRow,
  OutgoingMessage,
  PostAnswer,
  StoredOperatorAction,
  StoredSetAside,
  StreamEventRow,
  TimerRow,
  TransitionRow,
} from '#contracts/ports/actor-store.ts';

export type StoredMail = {
  readonly mailId: number;
  readonly isOutside: boolean;
  readonly envelope: Envelope;
  readonly shard: number;
  readonly payloadHash: string;
  attempts: number;
};
export type StoredEffect = { row: EffectRow; dispatchedEpoch: number | null };
export type StoredTransition = TransitionRow & { seq: number; defHash: string; atMs: number };
export type SetAsideRow = StoredSetAside & {
  readonly project: string;
  /** Of mail that no actor took; 0 when a commit set it aside. */
  readonly mailId: number;
  readonly payloadHash: string;
};

/** Everything that hangs on one address. Exists as soon as there is mail for it, also before the actor does. */
export type Cell = {
  readonly project: string;
  readonly address: ActorAddress;
  readonly shard: number;
  row: ActorRow | null;
  readonly mail: Map<number, StoredMail>;
  /** Waiting mail from outside, by message id. */
  readonly outsideMail: Map<string, StoredMail>;
  readonly timers: Map<string, TimerRow>;
  readonly effects: Map<string, StoredEffect>;
  /** How messages from outside ended, by message id. */
  readonly consumed: Map<string, ConsumedMessage>;
  /** Ids of outside mail that was set aside without an actor: taken for ever. */
  readonly setAside: Map<string, string>;
  readonly transitions: StoredTransition[];
};

export type Lease = { epoch: number; owner: string | null };

/** The tables of the in-memory store. */
export type ActorTables = {
  readonly cells: Map<string, Cell>;
  readonly byShard: readonly Set<Cell>[];
  readonly leases: Lease[];
  readonly workers: Map<string, { readonly beatAtMs: number; readonly pools: readonly Pool[] }>;
  readonly fences: Map<string, FenceState>;
  readonly events: Map<string, (StreamEventRow & { atMs: number })[]>;
  /** Domain rows by table, then by key. */
  readonly domain: Map<string, Map<string, { readonly [column: string]: Json }>>;
  readonly quarantine: SetAsideRow[];
  readonly deadLetters: SetAsideRow[];
  readonly operatorActions: Omit<StoredOperatorAction, 'outcome'>[];
  nextMailId: number;
};

export function emptyTables(): ActorTables {
  return {
    cells: new Map(),
    byShard: Array.from({ length: SHARD_COUNT }, () => new Set<Cell>()),
    leases: Array.from({ length: SHARD_COUNT }, () => ({ epoch: 0, owner: null })),
    workers: new Map(),
    fences: new Map(),
    events: new Map(),
    domain: new Map(),
    quarantine: [],
    deadLetters: [],
    operatorActions: [],
    nextMailId: 1,
  };
}

export function findCell(tables: ActorTables, project: string, address: ActorAddress): Cell | undefined {
  return tables.cells.get(`${project}\n${address}`);
}

export function openCell(tables: ActorTables, project: string, address: ActorAddress, shard: number): Cell {
  const found = findCell(tables, project, address);
  if (found !== undefined) return found;
  const cell: Cell = {
    project,
    address,
    shard,
    row: null,
    mail: new Map(),
    outsideMail: new Map(),
    timers: new Map(),
    effects: new Map(),
    consumed: new Map(),
    setAside: new Map(),
    transitions: [],
  };
  tables.cells.set(`${project}\n${address}`, cell);
  tables.byShard[shard]?.add(cell);
  return cell;
}

/** Mail between actors, already decided on by the sender's commit. */
export function insertMail(tables: ActorTables, message: OutgoingMessage): void {
  const { envelope, text, shard, payloadHash, mailId } = message;
  const cell = openCell(tables, envelope.project, envelope.to, shard);
  const isOutside = false;
  cell.mail.set(mailId, { mailId, isOutside, envelope: JSON.parse(text) as Envelope, shard, payloadHash, attempts: 0 });
}

/** Mail from outside: its id may have come before. */
export function postMail(tables: ActorTables, message: OutgoingMessage, maxMail: number): PostAnswer {
  const { envelope, text, shard, payloadHash } = message;
  if (!isOutsideSender(envelope.from))
    fail('request.forbidden', `'${envelope.from}' cannot be the sender of posted mail`);
  const cell = openCell(tables, envelope.project, envelope.to, shard);
  const { messageId, priority } = envelope;
  const known =
    cell.outsideMail.get(messageId)?.payloadHash ??
    cell.consumed.get(messageId)?.payloadHash ??
    cell.setAside.get(messageId);
  if (known !== undefined) return { verdict: known === payloadHash ? 'duplicate' : 'conflict', mailId: 0 };
  if (priority !== 'operator' && cell.outsideMail.size >= maxMail) return { verdict: 'mailbox_full', mailId: 0 };
  const mailId = tables.nextMailId++;
  const stored = { mailId, isOutside: true, envelope: JSON.parse(text) as Envelope, shard, payloadHash, attempts: 0 };
  cell.mail.set(mailId, stored);
  cell.outsideMail.set(messageId, stored);
  return { verdict: 'stored', mailId };
}

export function deleteMail(cell: Cell, mailId: number): void {
  const mail = cell.mail.get(mailId);
  if (mail === undefined) return;
  cell.mail.delete(mailId);
  if (mail.isOutside) cell.outsideMail.delete(mail.envelope.messageId);
}

export function byPriorityThenId(a: StoredMail, b: StoredMail): number {
  if (a.envelope.priority !== b.envelope.priority) return a.envelope.priority === 'operator' ? -1 : 1;
  return a.mailId - b.mailId;
}

export function mailRow({ mailId, envelope, shard, payloadHash, attempts }: StoredMail): MailRow {
  return { mailId, envelope: copy(envelope), shard, payloadHash, attempts };
}

export function isFenceOpen(tables: ActorTables, requirement: FenceRequirement | null): boolean {
  if (requirement === null) return true;
  const fence = tables.fences.get(requirement.scope);
  return fence !== undefined && fence.open && fence.generation === requirement.generation;
}

export function holdsLease(tables: ActorTables, owner: string, shard: number, epoch: number): boolean {
  const lease = tables.leases[shard];
  return lease !== undefined && lease.owner === owner && lease.epoch === epoch;
}

/** What a column of type jsonb gives back: a copy without `undefined`. */
export function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
