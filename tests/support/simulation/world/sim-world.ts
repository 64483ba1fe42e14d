// Real hosts in a world that is a simulation: store, wire, clock, far end and processes.
//
// Owns:     the processes, the order of happenings, what the outside posted.
// Owns not: what happens when (the schedule), what is right (the oracle).
//
//   1  The same schedule gives the same run.
//   2  Between two happenings every microtask has run, so a host is never interrupted inside its own work.

import { setImmediate as macrotask } from 'node:timers/promises';
import type { ConsumedMessage } from '#contracts/ports/actor-store.ts';
import type { ActorMessage } from '#contracts/ports/actor-client.ts';
import { createMemoryActorStore, type MemoryActorStore } from '#persistence/memory/actor-store.ts';
import { createActorHost, type ActorHost } from '#runtime/host/actor-host.ts';
import { SeededRandomness } from '#tests/support/harness/seeded-randomness.ts';
import { deskActor } from '../actors/desk-actor.ts';
import { handActor } from '../actors/hand-actor.ts';
import { ledgerActor } from '../actors/ledger-actor.ts';
import { Oracle } from '../oracle/oracle.ts';
import type { Violation } from '../oracle/violation.ts';
import { FIRST_ACTORS, PROJECT } from '../schedule/names.ts';
import { slotsOf, type Mail, type Schedule } from '../schedule/schedule.ts';
import { FarEnd } from './far-end.ts';
import { Happenings, type Dice } from './happenings.ts';
import { SimProcess, type ProcessWorld, type StoreCall } from './sim-process.ts';
import { describe, describeCall } from './describe.ts';
import { Wire } from './wire.ts';

const DEFINITIONS = [handActor, deskActor, ledgerActor];
const ASK_MS = 20_000;
/** Happenings without time passing; more means that something runs in circles. */
const CIRCLE = 4000;

type Slot = { workerId: string; process: SimProcess; host: ActorHost };

export class SimWorld {
  readonly happenings = new Happenings();
  readonly wire = new Wire();
  readonly store: MemoryActorStore;
  readonly oracle: Oracle;
  readonly farEnd: FarEnd;
  readonly slots: (Slot | null)[];
  readonly posted: ActorMessage[] = [];
  readonly faults = new Map<string, number>();
  happened = 0;
  dice: Dice;
  inOrder = 1;
  /** Hears what happens, for a person who looks for the cause. */
  trace: (line: string) => void = () => {};
  readonly #schedule: Schedule;
  readonly #calls: readonly StoreCall[];
  readonly #inside: ProcessWorld;
  #births = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    this.dice = new SeededRandomness(schedule.seed);
    const nowMs = () => this.happenings.nowMs;
    this.store = createMemoryActorStore({ nowMs });
    this.#calls = Object.keys(this.store).filter((name): name is StoreCall => name !== 'tables');
    const oracle = (this.oracle = new Oracle(this.store, nowMs));
    const dice = () => this.dice;
    this.farEnd = new FarEnd({
      dice,
      after: (ms, callback) => void this.happenings.after(ms, 'the far end answers', callback),
      started: (process, id, isOnce) => oracle.effects.sent(process, id, isOnce),
    });
    this.#inside = {
      happenings: this.happenings,
      wire: this.wire,
      dice,
      apply: async (process, call, args) => {
        const answer = await oracle.apply(process, call, args);
        this.trace(`    ${process.workerId} ${call} ${describeCall(args)} → ${describe(answer)}`);
        return answer;
      },
      asked: (process, call, args) => oracle.asked(process, call, args),
      answered: (process, call, args, value) => oracle.answered(process, call, args, value),
      publishing: (_process, subject, payload) => oracle.publishing(subject, payload),
      noteFault: (kind) => this.noteFault(kind),
    };
    this.slots = Array.from({ length: slotsOf(schedule) }, () => null);
  }

  get violation(): Violation | null {
    return this.oracle.violation;
  }

  noteFault(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }

  /** Everybody up, the first actors born, in order and without faults. */
  async begin(): Promise<void> {
    for (let index = 0; index < this.#schedule.workers; index++) this.boot(index, 0, false);
    await this.runDry();
    for (const [to, input] of FIRST_ACTORS) {
      this.post(0, { to, event: { type: 'runtime.create' } }, { create: { input: input as never } });
    }
    await this.runDry();
  }

  boot(index: number, skewMs: number, isRenamed: boolean): void {
    const old = this.slots[index] ?? null;
    old?.process.kill();
    this.#births += 1;
    const workerId = old === null || isRenamed ? `w${index}-${this.#births}` : old.workerId;
    const process = new SimProcess(workerId, this.#births, skewMs, this.#inside, this.#calls);
    const host = createActorHost({
      workerId,
      store: process.store,
      bus: process.bus,
      clock: process.clock,
      randomness: process.randomness,
      definitions: DEFINITIONS,
      ports: this.farEnd.portsOf(process),
      limits: this.#schedule.limits,
    });
    this.slots[index] = { workerId, process, host };
    void host.start();
  }

  /** Replaces those of the first workers that are gone, also those that took their time to leave. */
  reboot(): void {
    for (let index = 0; index < this.#schedule.workers; index++) {
      if (this.slots[index]?.process.isGone === true) this.boot(index, 0, false);
    }
  }

  /** Every shard of this worker gets a new epoch of which it does not know. */
  usurp(index: number): void {
    const workerId = this.slots[index]?.workerId;
    const { leases } = this.store.tables;
    const own = leases.flatMap(({ owner }, shard) => (owner === workerId ? [shard] : []));
    if (workerId !== undefined) void this.store.acquireShards(workerId, own, 0);
  }

  /** Drains as after SIGTERM; the process is gone when that is done. */
  leave(index: number): void {
    const slot = this.slots[index];
    if (slot?.process.isRunning !== true) return;
    void slot.host.stop().then(() => slot.process.kill());
  }

  /** Mail from outside through the client of a process that runs; the next one when this one does not. */
  post(index: number, mail: Mail, more: Partial<ActorMessage> = {}): void {
    const messageId = `outside-${this.posted.length + 1}`;
    const message: ActorMessage = { project: PROJECT, from: 'http', messageId, ...mail, ...more };
    this.posted.push(message);
    this.repost(index, message);
  }

  repost(index: number, message: ActorMessage): void {
    const slot = this.#running(index);
    slot?.host.client.send(message).then(
      () => this.oracle.messages.acknowledge(message.to, message.messageId),
      // not stored, or nobody knows: the outside may post again
      () => {},
    );
  }

  ask(index: number, mail: Mail): void {
    const messageId = `outside-${this.posted.length + 1}`;
    const message: ActorMessage = { project: PROJECT, from: 'http', messageId, ...mail };
    this.posted.push(message);
    const slot = this.#running(index);
    slot?.host.client.ask(message, ASK_MS).then(
      (answer) => this.#checkAnswer(message, answer),
      () => {},
    );
  }

  /** So many happenings, or until a rule is broken. */
  async run(count: number): Promise<void> {
    for (let left = count; left > 0 && this.violation === null; left -= 1) {
      const happening = this.happenings.take(this.dice, this.inOrder);
      if (happening === undefined) return;
      this.happened += 1;
      this.trace(`  ${this.happenings.nowMs % 1_000_000} ${happening.label}`);
      happening.run();
      await macrotask();
    }
  }

  /** Until nothing is left to happen without time passing. */
  async runDry(): Promise<void> {
    await this.run(CIRCLE);
    if (this.happenings.readyCount > 0 && this.violation === null)
      this.oracle.problems.add('SV-01', `after ${CIRCLE} happenings something still runs in circles`);
  }

  /** Moves time, alarm by alarm; between two of them as much happens as `pace` allows. */
  async advance(ms: number, pace: () => number): Promise<void> {
    const end = this.happenings.nowMs + ms;
    while (this.violation === null && this.happenings.moveTowards(end)) await this.run(pace());
  }

  /** For an unused world: nothing of it may go on. */
  end(): void {
    for (const slot of this.slots) slot?.process.kill();
  }

  #running(index: number): Slot | null {
    const count = this.slots.length;
    for (let offset = 0; offset < count; offset++) {
      const slot = this.slots[(index + offset) % count];
      if (slot?.process.isRunning === true) return slot;
    }
    return null;
  }

  #checkAnswer(message: ActorMessage, answer: ConsumedMessage): void {
    const cell = this.store.tables.cells.get(`${PROJECT}\n${message.to}`);
    const stored = cell?.consumed.get(message.messageId);
    if (JSON.stringify(stored) !== JSON.stringify(answer))
      this.oracle.problems.add('CM-01', `${message.messageId} was answered otherwise than committed`);
    this.noteFault('answered');
  }
}
