// The actors that are in memory on this worker.
//
// Owns:     their last committed state, the messages that wait in memory, least-recently-used order.
// Owns not: leases, loading, committing.
//
//   1  A message is queued at most once; it stays known until its commit returned.
//   2  `backlog` is not 0 whenever the store may hold mail of the actor that is not in memory.
//   3  Only an idle actor with an empty queue and no backlog is let go.

import type { ActorState, StepInput } from '#runtime/core/actor-state.ts';
import type { ActorDefinition } from '#runtime/core/define-actor.ts';
import { inputKey } from '#runtime/core/step.ts';
import { actorKey } from './host-parts.ts';
import type { HostLimits } from './limits.ts';

/**
 * `idle`: may take a turn. `loading`: its row is being read. `committing`: one commit in flight. `counting`: a failed
 * attempt is being counted. `frozen`: it is unknown whether its commit landed. `parked`: waits for other code.
 */
export type Phase = 'idle' | 'loading' | 'committing' | 'counting' | 'frozen' | 'parked';

export type Resident = {
  readonly key: string;
  readonly project: string;
  readonly address: string;
  readonly shard: number;
  readonly definition: ActorDefinition;
  /** `null`: not loaded. */
  state: ActorState | null;
  phase: Phase;
  readonly operatorQueue: StepInput[];
  readonly queue: StepInput[];
  /** Inputs in memory, queued or in flight. */
  readonly known: Set<number | string>;
  readonly attempts: Map<number | string, number>;
  /** 0: all its mail is in memory. Otherwise the number of the last load that may have missed some. */
  backlog: number;
  /** Let go of; a turn still in flight for it must not bring it back. */
  isGone: boolean;
  needsRearm: boolean;
  /** The store refused a turn of so many messages: each of them is tried alone. */
  singly: number;
  needsFencing: boolean;
  /** Takes only operator mail before this time; 0: no rest. */
  heldUntilMs: number;
  /** An alarm will wake it when the rest is over. */
  hasAlarm: boolean;
  bytes: number;
};

export class Residents {
  readonly #limits: HostLimits;
  readonly #byKey = new Map<string, Resident>();
  #bytes = 0;
  #known = 0;

  constructor(limits: HostLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#byKey.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  byKey(key: string): Resident | undefined {
    return this.#byKey.get(key);
  }

  /** Messages in memory, queued or in flight. */
  get knownMessages(): number {
    return this.#known;
  }

  find(project: string, address: string): Resident | undefined {
    return this.#byKey.get(actorKey(project, address));
  }

  open(project: string, address: string, shard: number, definition: ActorDefinition): Resident {
    const key = actorKey(project, address);
    let resident = this.#byKey.get(key);
    if (resident === undefined) {
      resident = {
        key,
        project,
        address,
        shard,
        definition,
        state: null,
        phase: 'idle',
        operatorQueue: [],
        queue: [],
        known: new Set(),
        attempts: new Map(),
        backlog: 0,
        isGone: false,
        needsRearm: false,
        singly: 0,
        needsFencing: false,
        heldUntilMs: 0,
        hasAlarm: false,
        bytes: 0,
      };
    } else {
      // last in the map is most recently used
      this.#byKey.delete(key);
    }
    this.#byKey.set(key, resident);
    return resident;
  }

  resize(resident: Resident, bytes: number): void {
    this.#bytes += bytes - resident.bytes;
    resident.bytes = bytes;
  }

  drop(resident: Resident): void {
    if (this.#byKey.get(resident.key) !== resident) return;
    this.#byKey.delete(resident.key);
    this.#bytes -= resident.bytes;
    this.#known -= resident.known.size;
    resident.known.clear();
    resident.isGone = true;
  }

  /** No code here can continue it; what it had in memory stays in the store. */
  park(resident: Resident): void {
    resident.phase = 'parked';
    this.forget(resident, [...resident.operatorQueue, ...resident.queue]);
    resident.operatorQueue.length = 0;
    resident.queue.length = 0;
  }

  ofShard(shard: number): Resident[] {
    return [...this.#byKey.values()].filter((resident) => resident.shard === shard);
  }

  all(): Iterable<Resident> {
    return this.#byKey.values();
  }

  /** `full`: memory has no room and the store has to keep it. */
  enqueue(resident: Resident, input: StepInput): 'queued' | 'known' | 'full' {
    const key = inputKey(input);
    if (resident.known.has(key)) return 'known';
    const queue = queueOf(resident, input);
    if (queue === resident.queue && input.kind === 'mail' && queue.length >= this.#limits.queuedPerActor) return 'full';
    resident.known.add(key);
    this.#known += 1;
    queue.push(input);
    return 'queued';
  }

  /** Their commit returned, or the store keeps them. */
  forget(resident: Resident, inputs: readonly StepInput[]): void {
    for (const input of inputs) {
      const key = inputKey(input);
      if (resident.known.delete(key)) this.#known -= 1;
      if (resident.attempts.size > 0) resident.attempts.delete(key);
    }
  }

  /** Lets the least recently used idle actors go until both caps are kept. */
  evict(): number {
    const { residentActors, residentBytes } = this.#limits;
    let gone = 0;
    if (this.#byKey.size <= residentActors && this.#bytes <= residentBytes) return gone;
    for (const resident of this.#byKey.values()) {
      if (this.#byKey.size <= residentActors && this.#bytes <= residentBytes) break;
      if (!isIdle(resident)) continue;
      this.drop(resident);
      gone += 1;
    }
    return gone;
  }
}

export function isIdle(resident: Resident): boolean {
  return resident.phase === 'idle' && !hasWork(resident) && resident.backlog === 0;
}

export function hasWork(resident: Resident): boolean {
  return resident.queue.length > 0 || resident.operatorQueue.length > 0 || resident.needsFencing;
}

/** Puts messages of a commit that did not land back where they came from. */
export function requeue(resident: Resident, inputs: readonly StepInput[]): void {
  for (const input of inputs.toReversed()) queueOf(resident, input).unshift(input);
}

/** The next message of the actor, or one that creates it while it does not exist. */
export function takeNext(resident: Resident, mustCreate: boolean): StepInput | undefined {
  if (!mustCreate) return resident.operatorQueue.shift() ?? resident.queue.shift();
  for (const queue of [resident.operatorQueue, resident.queue]) {
    const index = queue.findIndex((input) => input.kind === 'mail' && input.envelope.create !== undefined);
    if (index >= 0) return queue.splice(index, 1)[0];
  }
  return undefined;
}

function queueOf(resident: Resident, input: StepInput): StepInput[] {
  const isOperator = input.kind === 'mail' && input.envelope.priority === 'operator';
  return isOperator ? resident.operatorQueue : resident.queue;
}
