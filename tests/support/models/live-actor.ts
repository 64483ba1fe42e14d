// Live actor
//
// The same machine as XState runs it, in memory and for ever, with a simulated clock.
// Owns:     the far ends of its invokes, which record their input and end when told to; what its actions asked for.
// Owns not: anything durable; this is what a durable actor is compared with.
//
// What it is given of the runtime's ways, because XState's own are others; differences.test.ts shows them:
//
//   1  Every event carries the time as `at` (ST-16).
//   2  Between two events the regions of a parallel state are in the order of the definition (ST-19).

import {
  createActor,
  SimulatedClock,
  type Actor,
  type ActorLogic,
  type AnyMachineSnapshot,
  type Snapshot,
} from 'xstate';
import type { AnyActorRef, AnyStateMachine } from 'xstate';
import type { EffectResult } from '#contracts/effect.ts';
import type { ActorEvent } from '#contracts/envelope.ts';
import type { Json } from '#contracts/json.ts';
import { requestAction } from '#runtime/core/authoring.ts';
import type { ActorDefinition } from '#runtime/core/define-actor.ts';
import { orderRegions } from '#runtime/core/document-order.ts';
import { isoTime } from '#runtime/core/iso-time.ts';
import { publish, type Request } from '#runtime/core/requests.ts';
import { asJson, byId, type Asked, type Observation, type Turnover } from './observation.ts';

type FarEnd = Snapshot<unknown> & { readonly input: unknown };
type Settling = { readonly type: 'settle'; readonly result: EffectResult } | { readonly type: 'xstate.stop' };
type Scheduled = { readonly id: string; readonly delay: number };

/** Ends only when it is told to; what it was given stays readable. */
const farEnd: ActorLogic<FarEnd, Settling, unknown> = {
  getInitialSnapshot: (_scope, input) => ({ status: 'active', input, output: undefined, error: undefined }),
  transition: ({ input }, event) => {
    if (event.type === 'xstate.stop') return { status: 'stopped', input, output: undefined, error: undefined };
    const { result } = event;
    if (result.kind === 'done') return { status: 'done', input, output: result.output, error: undefined };
    return { status: 'error', input, output: undefined, error: result.failure };
  },
  getPersistedSnapshot: (snapshot) => snapshot,
};

/** Actors share a machine, because making one takes longer than most walks; its actions find their actor here. */
const heads = new WeakMap<object, LiveActor>();
const machines = new WeakMap<AnyStateMachine, AnyStateMachine>();

function liveMachine(machine: AnyStateMachine): AnyStateMachine {
  const made = machines.get(machine);
  if (made !== undefined) return made;
  const { actions, actors } = machine.implementations;
  const record = ({ self }: { self: object }, requests: unknown): void => {
    heads.get(self)?.asked.push(...(requests as Request[]));
  };
  const asking = Object.entries(actions).filter(([, action]) => action === (requestAction as unknown));
  const live = machine.provide({
    actions: Object.fromEntries(asking.map(([name]) => [name, record])),
    actors: Object.fromEntries(Object.keys(actors).map((name) => [name, farEnd])),
  } as never) as AnyStateMachine;
  const { transition } = live;
  live.transition = (snapshot, event, scope) => {
    const at = isoTime(heads.get(scope.self)?.nowMs ?? Number.NaN);
    return orderRegions(transition(snapshot, { ...event, at }, scope) as AnyMachineSnapshot);
  };
  machines.set(machine, live);
  return live;
}

export class LiveActor {
  readonly #clock = new SimulatedClock();
  readonly #startMs: number;
  readonly asked: Request[] = [];
  readonly #actor: Actor<AnyStateMachine>;
  readonly #dueAtMs = new WeakMap<object, number>();
  #children = new Map<string, AnyActorRef>();
  #settling: string | null = null;
  error: unknown = null;

  constructor(definition: ActorDefinition, input: unknown, startMs: number) {
    this.#startMs = startMs;
    this.#actor = createActor(liveMachine(definition.machine), { input, clock: this.#clock });
    heads.set(this.#actor, this);
    // An error without an observer would be thrown at nobody in particular.
    this.#actor.subscribe({ error: (error) => (this.error = error) });
    this.#actor.on('*', ({ type, ...data }: { type: string }) => this.asked.push(publish(type, data)));
    this.#actor.start();
    this.#timers();
  }

  get nowMs(): number {
    return this.#startMs + this.#clock.now();
  }

  send(event: ActorEvent): void {
    this.#actor.send(event);
    this.#timers();
  }

  settle(invokeId: string, result: EffectResult): void {
    this.#settling = invokeId;
    this.#snapshot.children[invokeId]?.send({ type: 'settle', result });
    this.#timers();
  }

  passUntil(ms: number): void {
    this.#clock.increment(ms - this.nowMs);
    this.#timers();
  }

  stop(): void {
    this.#actor.stop();
  }

  observe(): Observation {
    const { status, value, historyValue, context, output } = this.#snapshot;
    const history = Object.entries(historyValue as Record<string, readonly { id: string }[]>);
    return {
      status,
      value: asJson(value),
      history: asJson(Object.fromEntries(history.map(([id, nodes]) => [id, nodes.map((node) => ({ id: node.id }))]))),
      context: asJson(context),
      output: asJson(output),
      timers: this.#timers().sort(byId),
      invokes: [...this.#activeChildren().entries()]
        .map(([id, ref]) => {
          const { src, input } = ref as unknown as { src: string; input: unknown };
          return { id, src: String(src), input: asJson((ref.getSnapshot() as FarEnd).input ?? input) };
        })
        .sort(byId),
    };
  }

  /** What was asked for since the last call. */
  takeAsked(): Asked {
    return rowsOf(this.asked.splice(0));
  }

  /** What became of its invokes since the last call. */
  takeTurnover(): Turnover {
    const before = this.#children;
    const after = this.#activeChildren();
    this.#children = after;
    const settled = this.#settling;
    this.#settling = null;
    const isNew = ([id, ref]: [string, AnyActorRef]) => before.get(id) !== ref;
    const isGone = ([id, ref]: [string, AnyActorRef]) => after.get(id) !== ref && id !== settled;
    return {
      started: [...after]
        .filter(isNew)
        .map(([id]) => id)
        .sort(),
      cancelled: [...before]
        .filter(isGone)
        .map(([id]) => id)
        .sort(),
    };
  }

  get #snapshot(): AnyMachineSnapshot {
    return this.#actor.getSnapshot() as AnyMachineSnapshot;
  }

  #activeChildren(): Map<string, AnyActorRef> {
    const all = Object.entries(this.#snapshot.children as Record<string, AnyActorRef>);
    return new Map(all.filter(([, ref]) => (ref.getSnapshot() as FarEnd).status === 'active'));
  }

  /** XState knows how long, not until when; so every operation ends with a look, while time stands still. */
  #timers() {
    const scheduled = Object.values(this.#actor.system.getSnapshot()._scheduledEvents as Record<string, Scheduled>);
    return scheduled.map((timer) => {
      const dueAtMs = this.#dueAtMs.get(timer) ?? this.nowMs + timer.delay;
      this.#dueAtMs.set(timer, dueAtMs);
      return { id: timer.id, dueAtMs };
    });
  }
}

function rowsOf(requests: readonly Request[]): Asked {
  const mail: Json[] = [];
  const published: Json[] = [];
  const written: Json[] = [];
  const fences: Json[] = [];
  let reply: Json = null;
  for (const asked of requests) {
    switch (asked.request) {
      case 'send':
        mail.push(asJson({ to: asked.to, priority: asked.priority, event: asked.event, create: null }));
        break;
      case 'spawn': {
        const { kind, id, fence } = asked;
        const required = fence ? { fence: { scope: fence.scope, generation: String(fence.generation) } } : {};
        const create = { input: asked.input ?? null, ...required };
        mail.push(asJson({ to: `${kind}/${id}`, priority: 'normal', event: { type: 'runtime.create' }, create }));
        break;
      }
      case 'publish':
        published.push(asJson({ type: asked.type, data: asked.data ?? null }));
        break;
      case 'write':
        written.push(asJson({ table: asked.table, row: asked.row }));
        break;
      case 'setFence':
        fences.push(asJson(asked.fence));
        break;
      case 'reply':
        reply = asJson(asked.data ?? null);
        break;
    }
  }
  return { mail, published, written, fences, reply };
}
