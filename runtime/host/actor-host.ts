// A worker: runs the actors of the shards it holds.
//
// Owns:     the wiring of the parts, start, drain and stop.
// Owns not: anything durable (the store), any kind of actor (definitions).
//
//   LS4  Nothing is done for a shard before it was acquired, and nothing is left of it in memory after it went.
//   SV3  A host that is stopped has no timers, no subscriptions and no work left in this process.

import { fail } from '#contracts/errors.ts';
import type { FenceState } from '#contracts/effect.ts';
import type { ActorClient } from '#contracts/ports/actor-client.ts';
import type { ActorStore, DueTimer } from '#contracts/ports/actor-store.ts';
import type { Bus } from '#contracts/ports/bus.ts';
import type { Clock, Randomness } from '#contracts/ports/clock.ts';
import type { EventStreams } from '#contracts/ports/event-streams.ts';
import type { Inspection } from '#contracts/ports/inspection.ts';
import { silentLogger, type Logger } from '#contracts/ports/logger.ts';
import { POOLS, type Pool } from '#contracts/shards.ts';
import type { ActorDefinition } from '#runtime/core/define-actor.ts';
import { poolsOf } from '#runtime/core/shard.ts';
import { createActorClient } from './actor-client.ts';
import { ActorLoader } from './actor-loader.ts';
import { Aftermath } from './aftermath.ts';
import { BackPressure } from './back-pressure.ts';
import { Committer } from './committer.ts';
import { EffectRunner } from './effect-runner.ts';
import { createEventStreams } from './event-streams.ts';
import { kindOf, type HostParts } from './host-parts.ts';
import { createInspection } from './inspection.ts';
import { InspectionHints } from './inspection-hints.ts';
import { Leases } from './leases.ts';
import { DEFAULT_LIMITS, type HostLimits } from './limits.ts';
import { MailIds } from './mail-ids.ts';
import { MailLoop } from './mail-loop.ts';
import { Recovery } from './recovery.ts';
import { hasWork, Residents, type Resident } from './residents.ts';
import { subjects } from './subjects.ts';
import { TakeOverLine } from './take-over-line.ts';
import { Timers } from './timers.ts';
import { Trimming } from './trimming.ts';
import { Turns } from './turns.ts';

export type ActorHostOptions = {
  readonly workerId: string;
  readonly store: ActorStore;
  readonly bus: Bus;
  /** Every kind, also those that run elsewhere: they are sent to, looked at and asked from here. */
  readonly definitions: readonly ActorDefinition[];
  /** Which actors run here; default all, none: only client, streams and inspection work. */
  readonly pools?: readonly Pool[];
  /** Handed to effects as `fx.ports`. */
  readonly ports: unknown;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly logger?: Logger;
  readonly limits?: Partial<HostLimits>;
};

export type HostStats = {
  readonly shards: number;
  readonly residents: number;
  readonly residentBytes: number;
  readonly queuedMessages: number;
  readonly runningEffects: number;
  readonly startedEffects: number;
  readonly firedTimers: number;
  readonly commits: number;
  readonly committedEntries: number;
  readonly unansweredCommits: number;
  readonly mailHandedOver: number;
  readonly mailLoaded: number;
  readonly restsForFullReceivers: number;
};

export type ActorHost = {
  readonly client: ActorClient;
  readonly streams: EventStreams;
  readonly inspection: Inspection;
  /** Acquires shards and starts to work; resolves after the first heartbeat. */
  start(): Promise<void>;
  /** Finishes what is in flight, gives repeatable effects back, waits for the others up to `drainMs`, releases the shards. */
  drain(): Promise<void>;
  /** `drain`, then lets go of everything in this process. */
  stop(): Promise<void>;
  /** For tests: forgets everything at once, as a killed process would. */
  abandon(): void;
  stats(): HostStats;
};

export function createActorHost(options: ActorHostOptions): ActorHost {
  return new Host(options);
}

class Host implements ActorHost {
  readonly client: ActorClient;
  readonly streams: EventStreams & { stop(): void };
  readonly inspection: Inspection & { stop(): void };
  readonly #parts: HostParts;
  readonly #residents: Residents;
  readonly #leases: Leases;
  readonly #turns: Turns;
  readonly #mail: MailLoop;
  readonly #effects: EffectRunner;
  readonly #timers: Timers;
  readonly #committer: Committer;
  readonly #pressure: BackPressure;
  readonly #recovery: Recovery;
  readonly #trimming: Trimming;
  readonly #line: TakeOverLine;
  readonly #mailIds: MailIds;
  readonly #hints: InspectionHints;
  #unsubscribes: (() => void)[] = [];
  #cancelPoll: () => void = () => {};
  #isDraining = false;

  constructor(options: ActorHostOptions) {
    const parts = (this.#parts = partsOf(options));
    const mailIds = (this.#mailIds = new MailIds(parts.store));
    const pressure = (this.#pressure = new BackPressure(parts));
    const residents = (this.#residents = new Residents(parts.limits));
    const leases = (this.#leases = new Leases(parts, {
      beaten: () => this.#effects.resume(),
      acquired: (shards) => this.#acquired(shards),
      lost: (shards) => this.#lost(shards),
      vacate: (shard) => this.#vacate(shard),
    }));
    const turns: Turns = (this.#turns = new Turns(parts, leases, residents, {
      commit: (turn) => committer.add(turn),
      load: (group) => line.admit(group),
      refuseBirth: (resident, inputs, reason) => loader.refuseBirth(resident, inputs, reason),
      refill: (resident) => mail.refill(resident),
      skipped: (resident, input) => timers.skipped(resident.key, input),
    }));
    const wake = (resident: Resident) => turns.wake(resident);
    const line: TakeOverLine = (this.#line = new TakeOverLine(parts, {
      load: (group) => loader.load(group),
      committed: () => committer.entries,
    }));
    const mail = (this.#mail = new MailLoop(parts, leases, residents, { wake, isHeldUp: () => line.isLong }));
    const loader: ActorLoader = new ActorLoader(parts, leases, residents, {
      wake,
      park: (resident) => turns.parkForMigration(resident),
      markDirty: (shard) => mail.markDirty(shard),
      leave: (resident) => mail.leave(resident),
      withhold: (mailId) => mail.withhold(mailId),
      release: (mailId) => mail.release(mailId),
    });
    const fenceActor = (project: string, address: string, shard: number) => this.#fence(project, address, shard);
    const effects = (this.#effects = new EffectRunner(parts, leases, { mail, mailIds, fenceActor }));
    const timers = (this.#timers = new Timers(parts, leases, (due) => this.#fire(due)));
    const hints = (this.#hints = new InspectionHints(parts));
    const aftermath = new Aftermath({ parts, leases, residents, turns, mail, effects, timers, pressure, hints });
    const recovery = (this.#recovery = new Recovery(parts, { leases, residents, turns, loader, aftermath }));
    const mailSide = { ids: mailIds, handOver: mail.handOver };
    const committer = (this.#committer = new Committer(parts, leases, mailSide, {
      settled: (turn, verdict) => aftermath.settle(turn, verdict),
      refused: (turn, reason) => turns.poison(turn, reason),
      unanswered: (batch, commitId, cause) => recovery.begin(batch, commitId, cause),
    }));
    this.#trimming = new Trimming(parts, leases);
    this.client = createActorClient(parts, (message) => mail.post(message));
    this.streams = createEventStreams(parts);
    this.inspection = createInspection({ parts, client: this.client, post: (message) => mail.post(message) });
  }

  async start(): Promise<void> {
    const { bus, pools } = this.#parts;
    if (pools.length === 0) return;
    this.#unsubscribes = [
      bus.subscribe(subjects.anyMail, (_payload, subject) => this.#mail.markDirty(Number(subject.slice(5)))),
      bus.subscribe(subjects.fence, (payload) => void this.#fenceHint(payload)),
    ];
    this.#hints.start();
    await this.#leases.start();
    this.#trimming.start();
    this.#schedulePoll();
  }

  async drain(): Promise<void> {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#cancelPoll();
    this.#mail.stop();
    this.#timers.stop();
    this.#effects.stop();
    this.#trimming.stop();
    this.#turns.pause();
    const retired = this.#retire();
    const until = this.#parts.clock.nowMs() + this.#parts.limits.drainMs;
    while (this.#hasInFlight() && this.#parts.clock.nowMs() < until) await this.#pause(5);
    await retired;
    this.#leases.stop();
    await this.#leases.releaseAll().catch((cause: unknown) => {
      this.#parts.logger.warn('releasing shards failed', { cause: String(cause) });
    });
  }

  async stop(): Promise<void> {
    await this.drain();
    this.abandon();
  }

  abandon(): void {
    this.#isDraining = true;
    this.#cancelPoll();
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    this.#unsubscribes = [];
    this.streams.stop();
    this.inspection.stop();
    this.#hints.stop();
    this.#leases.stop();
    this.#mail.stop();
    this.#timers.stop();
    this.#effects.stop();
    this.#recovery.stop();
    this.#line.stop();
    this.#trimming.stop();
    this.#turns.pause();
  }

  stats(): HostStats {
    return {
      shards: this.#leases.held().length,
      residents: this.#residents.size,
      residentBytes: this.#residents.bytes,
      queuedMessages: this.#residents.knownMessages,
      runningEffects: this.#effects.runningCount,
      startedEffects: this.#effects.started,
      firedTimers: this.#timers.fired,
      commits: this.#committer.commits,
      committedEntries: this.#committer.entries,
      unansweredCommits: this.#recovery.unanswered,
      mailHandedOver: this.#mail.handedOver,
      mailLoaded: this.#mail.loaded,
      restsForFullReceivers: this.#pressure.held,
    };
  }

  /** A store that is away need not be told: without beats this worker is dead to the others anyway. */
  async #retire(): Promise<void> {
    if (this.#parts.pools.length === 0) return;
    await this.#leases.retire().catch((cause: unknown) => {
      this.#parts.logger.warn('retiring failed', { cause: String(cause) });
    });
  }

  #hasInFlight(): boolean {
    return this.#committer.isBusy || this.#effects.runningCount > 0;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#parts.clock.after(ms, resolve));
  }

  #schedulePoll(): void {
    const { clock, limits, randomness } = this.#parts;
    if (this.#isDraining) return;
    // spread, so that workers do not ask in step
    this.#cancelPoll = clock.after(Math.round(limits.pollMs * (0.9 + 0.2 * randomness.next())), () => {
      this.#mail.readAll(false);
      void this.#timers.look();
      void this.#effects.readDue();
      this.#schedulePoll();
    });
  }

  #acquired(shards: readonly number[]): void {
    this.#mailIds.renew();
    this.#line.acquired(shards);
    // shards that were to go and stay after all: what waited in memory meanwhile goes on
    const own = new Set(shards);
    for (const resident of this.#residents.all()) {
      if (own.has(resident.shard) && hasWork(resident)) this.#turns.wake(resident);
    }
    if (this.#isDraining) return;
    this.#mail.readAll(true);
    void this.#timers.look();
    void this.#effects.readDue();
  }

  #lost(shards: readonly number[]): void {
    const gone = new Set(shards);
    for (const resident of [...this.#residents.all()]) if (gone.has(resident.shard)) this.#residents.drop(resident);
    this.#effects.lost(shards);
    this.#timers.lost(shards);
  }

  #vacate(shard: number): boolean {
    const isQuiet = this.#effects.vacate(shard);
    const residents = this.#residents.ofShard(shard);
    return isQuiet && residents.every((resident) => resident.phase !== 'committing' && resident.phase !== 'frozen');
  }

  #fire({ project, address, shard, timer }: DueTimer): void {
    const resident = this.#openResident(project, address, shard);
    if (resident === null) return;
    const { timerId, occurrence } = timer;
    this.#residents.enqueue(resident, { kind: 'timer', timerId, occurrence });
    this.#turns.wake(resident);
  }

  #fence(project: string, address: string, shard: number): void {
    const resident = this.#openResident(project, address, shard);
    if (resident === null || !this.#leases.isWorking(shard)) return;
    resident.needsFencing = true;
    this.#turns.wake(resident);
  }

  #openResident(project: string, address: string, shard: number): Resident | null {
    const definition = this.#parts.definitions.get(kindOf(address));
    if (definition === undefined) return null;
    return this.#residents.find(project, address) ?? this.#residents.open(project, address, shard, definition);
  }

  /** Hints come late and out of order, so the store is asked what is true before anything is aborted. */
  async #fenceHint(payload: string): Promise<void> {
    const { scope } = JSON.parse(payload) as FenceState;
    const touched = [...this.#residents.all()].filter((resident) => resident.state?.fence?.scope === scope);
    if (touched.length === 0 && this.#effects.runningCount === 0) return;
    const fence = await this.#parts.store.readFence(scope).catch(() => null);
    if (fence === null) return;
    this.#effects.fenceMoved(fence);
    for (const resident of touched) {
      const required = resident.state?.fence;
      const isOpen = fence.open && required?.generation === fence.generation;
      if (required?.scope !== scope || isOpen || resident.state?.status !== 'active') continue;
      resident.needsFencing = true;
      this.#turns.wake(resident);
    }
  }
}

function partsOf(options: ActorHostOptions): HostParts {
  const definitions = new Map<string, ActorDefinition>();
  for (const definition of options.definitions) {
    if (definitions.has(definition.kind)) fail('actor.defect', `kind '${definition.kind}' is registered twice`);
    definitions.set(definition.kind, definition);
  }
  return {
    workerId: options.workerId,
    store: options.store,
    bus: options.bus,
    clock: options.clock,
    randomness: options.randomness,
    logger: options.logger ?? silentLogger,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    definitions,
    poolOf: poolsOf(definitions),
    pools: options.pools ?? POOLS,
    ports: options.ports,
  };
}
