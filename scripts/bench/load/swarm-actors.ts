import { assign, setup } from 'xstate';
import * as z from 'zod';
import { defineEffect, effectLogic, requestAction } from '#runtime/core/authoring.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { publish, send, setFence, spawn } from '#runtime/core/requests.ts';

/** One drone in so many is in an effect, again and again; the others play balls. */
const DRONES_PER_HUMMER = 8;
const HUM_MS = 20;

const Order = z.object({ type: z.enum(['queen.start', 'queen.stop']), drones: z.number() });
const Queen = z.object({ scope: z.string(), drones: z.number() });
type Queen = z.infer<typeof Queen>;
/** The name of a drone, without its kind. */
const drone = (scope: string, index: number): string => `${scope}_${index}`;

export const DRONE_FENCE_GENERATION = 1;

const queenSetup = setup({
  types: {} as {
    context: Queen;
    events: z.infer<typeof Order> | { type: 'child.fenced'; address: string };
    input: { scope: string };
  },
  actions: { request: requestAction },
});

/** Opens a fence, spawns drones under it, and closes it with one transition. */
export const queenActor = defineActor({
  kind: 'queen',
  version: 1,
  machine: queenSetup.createMachine({
    id: 'queen',
    options: { maxIterations: 100 },
    context: ({ input }) => ({ scope: input.scope, drones: 0 }),
    initial: 'ready',
    on: { 'child.fenced': {} },
    states: {
      ready: {
        on: {
          'queen.start': {
            target: 'running',
            actions: [
              queenSetup.assign({ drones: ({ event }) => ('drones' in event ? event.drones : 0) }),
              { type: 'request', params: ({ context }) => [...births(context.scope, context.drones)] },
            ],
          },
        },
      },
      running: {
        on: {
          'queen.stop': {
            target: 'stopping',
            actions: {
              type: 'request',
              params: ({ context }) => [
                setFence(context.scope, DRONE_FENCE_GENERATION + 1, false),
                publish('queen.stopping', {}),
              ],
            },
          },
        },
      },
      stopping: {},
    },
  }),
  input: z.object({ scope: z.string() }),
  context: Queen,
  events: Order,
  effects: {},
  view: (snapshot) => snapshot.context,
});

function* births(scope: string, drones: number) {
  yield setFence(scope, DRONE_FENCE_GENERATION, true);
  const fence = { scope, generation: DRONE_FENCE_GENERATION };
  for (let index = 0; index < drones; index += 1) {
    const input = { partner: `drone/${drone(scope, index ^ 1)}`, hums: index % DRONES_PER_HUMMER === 0 };
    yield spawn('drone', drone(scope, index), input, { fence });
  }
}

const Drone = z.object({ partner: z.string(), hums: z.boolean(), count: z.number() });
type Drone = z.infer<typeof Drone>;

const droneSetup = setup({
  types: {} as { context: Drone; events: { type: 'drone.ball' }; input: Omit<Drone, 'count'> },
  actors: { hum: effectLogic<{ ms: number }, null>() },
  guards: { hums: ({ context }) => context.hums },
  actions: { request: requestAction },
});
const plusOne = ({ context }: { context: Drone }) => context.count + 1;
const counted = droneSetup.assign({ count: plusOne });
const toPartner = {
  type: 'request' as const,
  params: ({ context }: { context: Drone }) => [send(context.partner, { type: 'drone.ball' })],
};

/** Never rests: plays a ball from its birth on, or hums, an effect, without end. */
export const droneActor = defineActor({
  kind: 'drone',
  version: 1,
  machine: droneSetup.createMachine({
    id: 'drone',
    options: { maxIterations: 100 },
    context: ({ input }) => ({ ...input, count: 0 }),
    initial: 'born',
    states: {
      born: { always: [{ guard: 'hums', target: 'humming' }, { target: 'playing' }] },
      playing: { entry: toPartner, on: { 'drone.ball': { actions: [counted, toPartner] } } },
      humming: {
        entry: toPartner,
        invoke: {
          id: 'hum',
          src: 'hum',
          input: () => ({ ms: HUM_MS }),
          onDone: { target: 'humming', reenter: true, actions: assign({ count: plusOne }) },
          onError: { target: 'humming', reenter: true },
        },
        on: { 'drone.ball': { actions: counted } },
      },
    },
  }),
  input: z.object({ partner: z.string(), hums: z.boolean() }),
  context: Drone,
  events: z.object({ type: z.literal('drone.ball') }),
  effects: {
    hum: defineEffect<{ ms: number }, null, unknown>({
      class: 'idempotent',
      timeoutMs: 10_000,
      run: ({ ms }, fx) => hum(ms, fx.signal),
    }),
  },
  view: (snapshot) => ({ count: snapshot.context.count }),
});

function hum(ms: number, signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve(null);
    });
  });
}
