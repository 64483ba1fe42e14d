// Actors under test: real hosts over the in-memory store, with time, chance and faults in the hands of the test.
//
//   1  Nothing happens by the clock of the machine: time moves with `advance`.
//   2  The same seed and the same calls give the same run.

import type { FenceRequirement, FenceState } from '#contracts/effect.ts';
import { isOutsideSender, type ActorEvent, type Envelope } from '#contracts/envelope.ts';
import type { ActorMessage, ActorView } from '#contracts/ports/actor-client.ts';
import type { ConsumedMessage, Json, OutgoingMessage } from '#contracts/ports/actor-store.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import { POOLS, type Pool } from '#contracts/shards.ts';
import { createMemoryActorStore, type MemoryActorStore } from '#persistence/memory/actor-store.ts';
import type { WritePolicy } from '#persistence/memory/commit-entries.ts';
import { findCell, insertMail, type Cell } from '#persistence/memory/actor-tables.ts';
import type { ActorDefinition } from '#runtime/core/define-actor.ts';
import { addressed, payloadText } from '#runtime/core/finish-draft.ts';
import { poolsOf, type PoolOf } from '#runtime/core/shard.ts';
import { isoTime } from '#runtime/core/iso-time.ts';
import { readStoredSnapshot } from '#runtime/core/stored-snapshot.ts';
import { createActorHost, type ActorHost } from '#runtime/host/actor-host.ts';
import { hashPayload } from '#runtime/host/host-parts.ts';
import type { HostLimits } from '#runtime/host/limits.ts';
import { HarnessBus } from './harness-bus.ts';
import { SeededRandomness } from './seeded-randomness.ts';
import { VirtualClock } from './virtual-clock.ts';
import { WorkerProcess } from './worker-process.ts';

const PRECISE_MS = 10 * 60_000;
const COARSE_STEPS = 300;
const MAX_ROUNDS = 200_000;

export type HarnessOptions = {
  readonly actors: readonly ActorDefinition[];
  /** What effects find as `fx.ports`. */
  readonly ports?: unknown;
  readonly seed?: number;
  readonly workers?: number;
  /** What each worker serves, by its place; default everything. */
  readonly pools?: readonly (readonly Pool[])[];
  readonly project?: string;
  readonly limits?: Partial<HostLimits>;
  readonly logger?: Logger;
  readonly policyOf?: (table: string) => WritePolicy;
  readonly maxMailPerActor?: number;
};

type Slot = { readonly workerId: string; process: WorkerProcess; host: ActorHost };
type Outside = Partial<ActorMessage> & { readonly to: string; readonly event: ActorEvent };

export function createHarness(options: HarnessOptions): Harness {
  return new Harness(options);
}

export class Harness {
  readonly clock = new VirtualClock();
  readonly randomness: SeededRandomness;
  readonly bus: HarnessBus;
  readonly store: MemoryActorStore;
  readonly project: string;
  readonly #options: HarnessOptions;
  readonly #poolOf: PoolOf;
  readonly #slots: Slot[] = [];
  readonly #sent: OutgoingMessage[] = [];
  readonly #posted: OutgoingMessage[] = [];
  #activity = 0;
  #messages = 0;

  constructor(options: HarnessOptions) {
    this.#options = options;
    this.#poolOf = poolsOf(new Map(options.actors.map((definition) => [definition.kind, definition])));
    this.project = options.project ?? 'p';
    this.randomness = new SeededRandomness(options.seed ?? 1);
    this.bus = new HarnessBus(new SeededRandomness((options.seed ?? 1) ^ 0x5bd1e995));
    const { policyOf, maxMailPerActor } = options;
    this.store = createMemoryActorStore({
      nowMs: () => this.clock.nowMs(),
      ...(policyOf === undefined ? {} : { policyOf }),
      ...(maxMailPerActor === undefined ? {} : { maxMailPerActor }),
    });
    for (let index = 0; index < (options.workers ?? 1); index++) this.#slots.push(this.#boot(index));
  }

  /** Starts all workers and lets them settle. */
  async start(): Promise<void> {
    for (const slot of this.#slots) void slot.host.start();
    await this.runUntilIdle();
    if (this.#slots.length > 1) await this.advance(3000);
  }

  async stop(): Promise<void> {
    for (const slot of this.#slots) slot.host.abandon();
    await this.bus.close();
  }

  host(worker = 0): ActorHost {
    return this.#slot(worker).host;
  }

  process(worker = 0): WorkerProcess {
    return this.#slot(worker).process;
  }

  /** Posts through the client of worker 0 and runs until idle. */
  async send(message: Outside): Promise<void> {
    const posted = this.host().client.send(this.#complete(message));
    // the rejection is the caller's to see, also when it comes before `await posted`
    posted.catch(() => {});
    await this.runUntilIdle();
    await posted;
  }

  async ask(message: Outside, timeoutMs = 60_000): Promise<ConsumedMessage> {
    const asked = this.host().client.ask(this.#complete(message), timeoutMs);
    asked.catch(() => {});
    await this.runUntilIdle();
    return await asked;
  }

  async create(to: string, input: Json, fence?: FenceRequirement): Promise<void> {
    await this.send({
      to,
      event: { type: 'runtime.create' },
      create: { input, ...(fence === undefined ? {} : { fence }) },
    });
  }

  /** Mail as another actor would send it, past the client's checks. */
  async inject(mail: { from: string; to: string; event: ActorEvent } & Partial<Envelope>): Promise<void> {
    this.#messages += 1;
    const envelope: Envelope = {
      messageId: `injected-${this.#messages}`,
      project: this.project,
      priority: 'normal',
      sentAt: isoTime(this.clock.nowMs()),
      ...mail,
      event: mail.event as Envelope['event'],
    };
    if (isOutsideSender(envelope.from)) {
      return this.#post(addressed(envelope, hashPayload(payloadText(envelope)), this.#poolOf));
    }
    const message = addressed(envelope, '', this.#poolOf);
    insertMail(this.store.tables, { ...message, mailId: this.store.tables.nextMailId++ });
    await this.#announce(message);
  }

  async setFence(fence: FenceState): Promise<void> {
    this.store.tables.fences.set(fence.scope, fence);
    this.bus.publish('fence', JSON.stringify(fence));
    await this.runUntilIdle();
  }

  /** Until nothing happens any more without time passing. Effects that wait for something else are left waiting. */
  async runUntilIdle(): Promise<void> {
    let quiet = 0;
    for (let round = 0; quiet < 4; round++) {
      if (round > MAX_ROUNDS) throw new Error('the actors do not come to rest');
      const before = this.#activity;
      await new Promise((resolve) => setImmediate(resolve));
      if (this.bus.release() || this.clock.ringNext()) this.#activity += 1;
      quiet = this.#activity === before ? quiet + 1 : 0;
    }
  }

  /** Lets what can happen happen for so many rounds; for actors that never come to rest. */
  async step(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      this.bus.release();
      this.clock.ringNext();
    }
  }

  /** Moves time, stopping at every alarm; spans beyond ten minutes move in steps. */
  async advance(ms: number): Promise<void> {
    const end = this.clock.nowMs() + ms;
    const stepMs = ms > PRECISE_MS ? ms / COARSE_STEPS : 0;
    while (this.clock.nowMs() < end) {
      const next = this.clock.nextDueAtMs() ?? end;
      this.clock.moveTo(Math.min(end, Math.max(next, this.clock.nowMs() + stepMs)));
      await this.runUntilIdle();
      if (next > end) break;
    }
    this.clock.moveTo(end);
    await this.runUntilIdle();
  }

  /** For effects that do real input and output: lets them run until the condition holds. */
  async until(holds: () => boolean, timeoutMs = 5000): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      await this.runUntilIdle();
      if (holds()) return;
      if (performance.now() > deadline) throw new Error(`the condition did not hold within ${timeoutMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  kill(worker = 0): void {
    this.#slot(worker).process.kill();
  }

  /** Kills the worker if it lives and starts a new process under the same name. */
  async restart(worker = 0): Promise<void> {
    const slot = this.#slot(worker);
    slot.process.kill();
    Object.assign(slot, this.#boot(worker));
    void slot.host.start();
    await this.runUntilIdle();
  }

  freeze(worker = 0): void {
    this.#slot(worker).process.freeze();
  }

  async thaw(worker = 0): Promise<void> {
    this.#slot(worker).process.thaw();
    await this.runUntilIdle();
  }

  /** The store does not answer this worker; calls fail before or after they took effect. */
  cut(worker = 0, when: 'before' | 'after' = 'before'): void {
    this.#slot(worker).process.onCall = () => when;
  }

  mend(worker = 0): void {
    this.#slot(worker).process.onCall = () => null;
  }

  /** Loses this share of the hints from now on. */
  drop(share = 1): void {
    this.bus.faults.drop = share;
  }

  /** Hints come late and in any order from now on. */
  reorder(isOn = true): void {
    this.bus.faults.reorder = isOn;
  }

  /** Posts outside mail of an actor once more, as a client that saw no answer would, and repeats every hint of its mail. */
  async redeliver(to: string): Promise<void> {
    for (const message of this.#posted.filter(({ envelope }) => envelope.to === to)) await this.#post(message);
    for (const message of this.#sent.filter(({ envelope }) => envelope.to === to)) await this.#announce(message);
  }

  view(address: string): Promise<ActorView | null> {
    return this.host().client.view(this.project, address);
  }

  status(address: string): string | null {
    return this.cell(address)?.row?.status ?? null;
  }

  /** The state value; `null` when the actor does not exist or has ended as fenced before its birth. */
  state(address: string): Json {
    return readStoredSnapshot(this.cell(address)?.row?.snapshot ?? null)?.state.value ?? null;
  }

  context<T>(address: string): T {
    return readStoredSnapshot(this.cell(address)?.row?.snapshot ?? null)?.state.context as T;
  }

  cell(address: string): Cell | undefined {
    return findCell(this.store.tables, this.project, address);
  }

  transitions(address: string): Cell['transitions'] {
    return this.cell(address)?.transitions ?? [];
  }

  outcomes(address: string): string[] {
    return this.transitions(address).map((row) => `${row.eventType}:${row.outcome}`);
  }

  events(address: string): { seq: number; type: string; data: Json }[] {
    return this.store.tables.events.get(`${this.project}\n${address.replace('/', ':')}`) ?? [];
  }

  writes(table: string): { readonly [column: string]: Json }[] {
    return [...(this.store.tables.domain.get(table)?.values() ?? [])];
  }

  /** Everything actors sent, oldest first; also to kinds that are not registered here. */
  outbox(to?: string): Envelope[] {
    const mail = this.#sent.map((message) => message.envelope);
    return to === undefined ? mail : mail.filter((envelope) => envelope.to === to);
  }

  get quarantine(): MemoryActorStore['tables']['quarantine'] {
    return this.store.tables.quarantine;
  }

  get deadLetters(): MemoryActorStore['tables']['deadLetters'] {
    return this.store.tables.deadLetters;
  }

  #boot(index: number): Slot {
    const workerId = `worker-${index + 1}`;
    const recording = this.#recordOutgoing(this.store);
    const process = new WorkerProcess(recording, this.clock, this.bus, () => {
      this.#activity += 1;
    });
    const { logger, limits, pools } = this.#options;
    const host = createActorHost({
      workerId,
      store: process.store,
      bus: process.bus,
      clock: process.clock,
      randomness: this.randomness,
      definitions: this.#options.actors,
      pools: pools?.[index] ?? POOLS,
      ports: this.#options.ports ?? {},
      limits: { checks: true, ...limits },
      ...(logger === undefined ? {} : { logger }),
    });
    return { workerId, process, host };
  }

  #recordOutgoing(store: MemoryActorStore): MemoryActorStore {
    return {
      ...store,
      post: (messages) => {
        this.#posted.push(...messages);
        return store.post(messages);
      },
      commit: async (owner, commitId, entries) => {
        const verdicts = await store.commit(owner, commitId, entries);
        entries.forEach((entry, index) => {
          if (verdicts[index] === 'committed') this.#sent.push(...entry.outgoing);
        });
        return verdicts;
      },
    };
  }

  async #post(message: OutgoingMessage): Promise<void> {
    await this.store.post([message]);
    await this.#announce(message);
  }

  async #announce(message: OutgoingMessage): Promise<void> {
    this.bus.publish(`mail.${message.shard}`, '');
    await this.runUntilIdle();
  }

  #complete(message: Outside): ActorMessage {
    this.#messages += 1;
    return { project: this.project, from: 'http', messageId: `outside-${this.#messages}`, ...message };
  }

  #slot(worker: number): Slot {
    const slot = this.#slots[worker];
    if (slot === undefined) throw new RangeError(`there is no worker ${worker}`);
    return slot;
  }
}
