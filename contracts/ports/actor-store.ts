import type { ActorAddress, Envelope, Priority } from '../envelope.ts';
import type { EffectClass, EffectResult, FenceRequirement, FenceState } from '../effect.ts';
import type { Json } from '../json.ts';
import type { Pool } from '../shards.ts';

export type { Json } from '../json.ts';
export { SHARD_COUNT } from '../shards.ts';

/**
 * The durable truth of all actors. Two implementations, PostgreSQL and in-memory, pass one contract suite.
 *
 *   AS1  `commit` is all or nothing per entry and independent between entries: one statement, one answer per entry.
 *   AS2  An entry lands only if its shard epoch is the caller's, its actor seq is the expected one, and the fence it requires is open at that generation.
 *   AS3  Nothing is deleted for an actor except by an entry that passed AS2 (or an equally fenced call).
 *   AS4  A message id from outside the actors is accepted once per receiver, for ever (also after it was consumed). Mail between
 *        actors needs no such memory: the commit that sends it lands once (AS2).
 *   AS5  Liveness of workers is judged by the store's clock alone.
 *   AS6  Mail is read operator first, then by mail id, and one receiver takes at most its share of a read. Mail ids grow with
 *        every reservation, so the mail of one sender is read in the order it was sent.
 *   AS7  Outside mail beyond a receiver's cap is refused; operator mail and mail between actors never is.
 *   AS8  Timers and effects are due by their time; an effect is dispatched once under an epoch, `once` effects once at all.
 *   AS9  What is read belongs to one project, comes in its order, and is paged by cursor.
 *   AS10 Trimming takes only rows older than asked of shards that are held, and never what answers a repeated message.
 *   AS10 What was set aside stays readable, newest first, and mail that no actor took shows in its receiver's log.
 *   AS11 An operator's action is recorded once per request id, before it is carried out; how it ended is read from the log.
 *   AS12 What a worker reads or writes is found by key, whatever the store held when the statement was first used.
 */

export type ActorStatus = 'active' | 'done' | 'error' | 'fenced' | 'needs_migration';

export type ActorRow = {
  readonly project: string;
  readonly address: ActorAddress;
  readonly shard: number;
  readonly machineVersion: number;
  /** Hash of the machine definition that wrote the snapshot. */
  readonly defHash: string;
  readonly status: ActorStatus;
  /** +1 per commit; 0 means "does not exist yet". */
  readonly seq: number;
  /** Number of the last published stream event of this actor; gapless. */
  readonly eventSeq: number;
  readonly epoch: number;
  readonly lastCommitId: string;
  readonly snapshot: Json;
  readonly fence: FenceRequirement | null;
};

export type TimerRow = {
  readonly timerId: string;
  /** Distinguishes two armings of the same timer; a firing of an older occurrence is stale. */
  readonly occurrence: number;
  readonly dueAtMs: number;
  readonly event: Json;
};

export type EffectState = 'pending' | 'dispatched';

export type EffectRow = {
  /** `seq:index` of the commit that declared it; unique inside the actor. */
  readonly effectId: string;
  /** The invoke id in the machine, e.g. `read`; `xstate.done.actor.<invokeId>` is what it becomes. */
  readonly invokeId: string;
  readonly src: string;
  readonly class: EffectClass;
  readonly input: Json;
  readonly state: EffectState;
  readonly attempt: number;
  /** Not before this time (back-off). */
  readonly notBeforeMs: number;
  readonly fence: FenceRequirement | null;
};

export type LoadedActor = {
  readonly row: ActorRow;
  readonly timers: readonly TimerRow[];
  readonly effects: readonly EffectRow[];
};

/** How the consumption of one message ended; written to the transition log. */
export type MessageOutcome =
  'handled' | 'ignored' | 'conflict' | 'forbidden' | 'dropped_done' | 'stale' | 'poisoned' | 'quarantined';

export type TransitionRow = {
  /** Position inside the commit; several messages may be folded into one commit. */
  readonly index: number;
  readonly messageId: string;
  readonly from: string;
  readonly eventType: string;
  readonly payloadHash: string;
  readonly outcome: MessageOutcome;
  readonly stateBefore: Json;
  readonly stateAfter: Json;
  /** Edges taken, failed guards and the like, for the inspector. */
  readonly detail: Json;
  readonly reply: Json;
  readonly durationMicros: number;
};

export type DomainWrite = { readonly table: string; readonly row: { readonly [column: string]: Json } };
export type StreamEventRow = {
  readonly stream: string;
  readonly seq: number;
  readonly type: string;
  readonly data: Json;
};
export type OutgoingMessage = {
  readonly envelope: Envelope;
  /** `envelope` already serialised; what a store writes. */
  readonly text: string;
  readonly shard: number;
  /** Tells equal messages of one id apart from others; '' for mail between actors, which is never sent twice. */
  readonly payloadHash: string;
  /** Reserved by the sending host right before the commit (`reserveMailIds`); 0 until then and for posted mail. */
  mailId: number;
};
export type ConsumedMail = { readonly mailId: number; readonly priority: Priority };
export type SetAsideMessage = { readonly messageId: string; readonly envelope: Json; readonly reason: string };

/** A place in an actor's log: after the row `index` of the commit `seq`. Mail that no actor took has a `seq` below 0. */
export type LogPlace = { readonly seq: number; readonly index: number };
export type LoggedTransition = TransitionRow & {
  readonly seq: number;
  readonly defHash: string;
  readonly atMs: number;
};
/** A place in the log of a project, by time of the commit; commits of one time come by address. */
export type ProjectLogPlace = LogPlace & { readonly atMicros: number; readonly address: ActorAddress };
export type ProjectTransition = LoggedTransition & Pick<ProjectLogPlace, 'address' | 'atMicros'>;

/** `quarantine`: its fence had moved. `dead_letter`: it failed too often, or nobody could take it. */
export type SetAsideKind = 'quarantine' | 'dead_letter';
export type StoredSetAside = SetAsideMessage & {
  readonly id: number;
  readonly address: ActorAddress;
  readonly atMs: number;
};
/** Newest first: `beforeId` is the last id of the page before. */
export type BackwardPage = { readonly address?: ActorAddress; readonly beforeId?: number; readonly limit: number };

export type OperatorAction = {
  readonly project: string;
  /** Client-made; unique in the project. */
  readonly requestId: string;
  /** `pause`, `resume`, `stop`, `retry`, `drain` or `redrive`. */
  readonly command: string;
  readonly address: ActorAddress;
  /** Of the mail that carries it out. */
  readonly messageId: string;
  /** The dead letter that was sent again. */
  readonly letterId: number | null;
  /** Who asked: how the caller was known. */
  readonly caller: string;
};
export type StoredOperatorAction = OperatorAction & {
  readonly id: number;
  readonly atMs: number;
  /** From the receiver's log; `null` while it waits. */
  readonly outcome: MessageOutcome | null;
};

export type CommitEntry = {
  readonly project: string;
  readonly address: ActorAddress;
  readonly shard: number;
  /** The lease epoch the caller believes it holds for `shard`; filled in right before the commit. */
  epoch: number;
  /** 0 inserts the actor. */
  readonly expectedSeq: number;
  readonly next: Pick<ActorRow, 'machineVersion' | 'defHash' | 'status' | 'eventSeq' | 'snapshot' | 'fence'> & {
    /** `snapshot` already serialised; a store writes this text instead of serialising again. */
    readonly snapshotText?: string;
  };
  /** The commit lands only while this fence is open at this generation. */
  readonly requires: FenceRequirement | null;
  readonly transitions: readonly TransitionRow[];
  readonly consumedMail: readonly ConsumedMail[];
  readonly outgoing: readonly OutgoingMessage[];
  readonly timersSet: readonly TimerRow[];
  readonly timersDeleted: readonly string[];
  readonly effectsAdded: readonly EffectRow[];
  readonly effectsDeleted: readonly string[];
  readonly writes: readonly DomainWrite[];
  readonly published: readonly StreamEventRow[];
  /** Sets the fence to this generation and openness; a lower generation than stored is never written. */
  readonly fencesSet: readonly FenceState[];
  readonly quarantined: readonly SetAsideMessage[];
  readonly deadLetters: readonly SetAsideMessage[];
};

export type CommitVerdict = 'committed' | 'lost_lease' | 'stale_sequence' | 'fence_moved';

export type MailRow = {
  readonly mailId: number;
  readonly envelope: Envelope;
  readonly shard: number;
  readonly payloadHash: string;
  readonly attempts: number;
};

/** `duplicate`: same id, same content (already stored or already consumed). `conflict`: same id, other content. */
export type PostVerdict = 'stored' | 'duplicate' | 'conflict' | 'mailbox_full';
/** `mailId`: of the waiting row when `stored`, else 0. */
export type PostAnswer = { readonly verdict: PostVerdict; readonly mailId: number };
/** Mail ids `first … first + count - 1`, given to nobody else, above all reserved before. */
export type MailIdBlock = { readonly first: number; readonly count: number };

export type ConsumedMessage = {
  readonly outcome: MessageOutcome;
  readonly seq: number;
  readonly eventSeq: number;
  readonly payloadHash: string;
  readonly reply: Json;
};

/** A worker whose beat is young enough, and what it serves now; nothing while it hands over its work. */
export type LiveWorker = { readonly id: string; readonly pools: readonly Pool[] };
export type ShardLease = { readonly shard: number; readonly epoch: number };

export type DueEffect = {
  readonly project: string;
  readonly address: ActorAddress;
  readonly shard: number;
  readonly effect: EffectRow;
};
export type DueTimer = {
  readonly project: string;
  readonly address: ActorAddress;
  readonly shard: number;
  readonly timer: TimerRow;
};
export type EffectKey = {
  readonly project: string;
  readonly address: ActorAddress;
  readonly shard: number;
  readonly epoch: number;
  readonly effectId: string;
};
export type DispatchVerdict = 'dispatched' | 'lost_lease' | 'fence_moved' | 'gone' | 'already_dispatched';

export interface ActorStore {
  // leases
  beat(workerId: string, pools: readonly Pool[]): Promise<void>;
  liveWorkers(deadAfterMs: number): Promise<readonly LiveWorker[]>;
  /** Takes shards that are free, expired (owner not live) or already ours; each success raises the epoch by one. */
  acquireShards(workerId: string, shards: readonly number[], deadAfterMs: number): Promise<readonly ShardLease[]>;
  releaseShards(workerId: string, leases: readonly ShardLease[]): Promise<void>;
  leases(): Promise<readonly { shard: number; epoch: number; owner: string | null }[]>;

  // mail
  /** Stores mail from outside the actors. */
  post(messages: readonly OutgoingMessage[]): Promise<readonly PostAnswer[]>;
  /** A host reserves anew after it acquired shards, so that the ids of one sender grow across hosts. */
  reserveMailIds(): Promise<MailIdBlock>;
  /** Operator mail first, then by mail id; at most `perActor` rows of one receiver. */
  loadMail(
    shards: readonly number[],
    limits: { readonly total: number; readonly perActor: number },
  ): Promise<readonly MailRow[]>;
  /** Counts a failed attempt (poison detection); returns the new number. */
  countAttempt(shard: number, mailId: number): Promise<number>;
  /**
   * Moves a mail row that no actor can consume (unreadable, no such actor, unknown kind) to the dead letters, under the
   * lease. Its message id stays taken.
   */
  setAsideMail(owner: string, lease: ShardLease, mailId: number, reason: string): Promise<boolean>;
  /** How a message from outside ended; `null`: not yet. */
  findConsumed(project: string, address: ActorAddress, messageId: string): Promise<ConsumedMessage | null>;

  // actors
  loadActors(project: string, addresses: readonly ActorAddress[]): Promise<readonly LoadedActor[]>;
  /**
   * One verdict an entry. Throws `request.invalid` when the store cannot hold one of them (nothing was applied; alone, the
   * others would land), `store.unavailable` when surely nothing was applied, `commit.unknown` when it may have been.
   */
  commit(owner: string, commitId: string, entries: readonly CommitEntry[]): Promise<readonly CommitVerdict[]>;

  // timers and effects
  dueTimers(shards: readonly number[], nowMs: number, limit: number): Promise<readonly DueTimer[]>;
  nextTimerDueAtMs(shards: readonly number[]): Promise<number | null>;
  /**
   * Pending effects whose `notBeforeMs` passed, and dispatched ones whose dispatch happened under an older epoch of
   * their shard (their owner is gone). `state` tells them apart.
   */
  dueEffects(shards: readonly number[], nowMs: number, limit: number): Promise<readonly DueEffect[]>;
  /**
   * Commits "about to be sent": `state` becomes `dispatched`, `attempt` grows by one, and the epoch of the dispatch is
   * kept. Checks lease and fence. A dispatched row is dispatched again only when it is `idempotent` and its dispatch
   * belongs to an older epoch; otherwise `already_dispatched`.
   */
  dispatchEffect(owner: string, key: EffectKey): Promise<DispatchVerdict>;
  /** Puts an idempotent effect back to `pending` with a back-off, under the lease; keeps `attempt`. */
  retryEffect(owner: string, key: EffectKey, notBeforeMs: number): Promise<boolean>;
  /** Stores the result as mail of the owning actor and forgets the row, in one step, under the lease. */
  completeEffect(owner: string, key: EffectKey, result: EffectResult, mail: OutgoingMessage): Promise<boolean>;

  // fences
  readFence(scope: string): Promise<FenceState | null>;

  // trimming
  /**
   * Deletes old rows of the log, and old events of actors that ended, of the actors of these shards; at most `limit` of each.
   * Rows of messages from outside lose only what inspectors read. Answers how many rows were trimmed.
   */
  trim(owner: string, leases: readonly ShardLease[], olderThanMs: number, limit: number): Promise<number>;

  // reading
  /** In order of commits and positions; `null`: from the start, mail that no actor took included. */
  readTransitions(
    project: string,
    address: ActorAddress,
    after: LogPlace | null,
    limit: number,
  ): Promise<readonly LoggedTransition[]>;
  /** Transitions of all actors by time. A commit that was still under way may show up before the cursor later. */
  readProjectLog(project: string, after: ProjectLogPlace, limit: number): Promise<readonly ProjectTransition[]>;
  listActors(
    project: string,
    filter: { kind?: string; status?: ActorStatus; search?: string; after?: string; limit: number },
  ): Promise<readonly ActorRow[]>;
  readEvents(
    project: string,
    stream: string,
    afterSeq: number,
    limit: number,
  ): Promise<readonly (StreamEventRow & { atMs: number })[]>;
  /** Waiting mail of one receiver in the order it will be read; `after` is the last row of the page before. */
  readMail(
    project: string,
    address: ActorAddress,
    shard: number,
    page: { readonly after?: ConsumedMail; readonly limit: number },
  ): Promise<readonly MailRow[]>;
  /** How much mail waits for one receiver; counts no further than `limit`. */
  countMail(project: string, address: ActorAddress, shard: number, limit: number): Promise<number>;
  listSetAside(project: string, kind: SetAsideKind, page: BackwardPage): Promise<readonly StoredSetAside[]>;
  findSetAside(project: string, kind: SetAsideKind, id: number): Promise<StoredSetAside | null>;

  // operators
  /** `repeated`: this very action was recorded before. `conflict`: its request id names another one. */
  recordOperatorAction(action: OperatorAction): Promise<'recorded' | 'repeated' | 'conflict'>;
  findOperatorAction(project: string, requestId: string): Promise<StoredOperatorAction | null>;
  listOperatorActions(
    project: string,
    page: BackwardPage & { readonly letterIds?: readonly number[] },
  ): Promise<readonly StoredOperatorAction[]>;
}
