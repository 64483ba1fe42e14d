import { setup } from 'xstate';
import * as z from 'zod';
import { requestAction } from '#runtime/core/authoring.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { send, spawn } from '#runtime/core/requests.ts';

/** A hive asks for so many children at once, then writes to itself; so what waits in memory stays small. */
export const SPAWNED_AT_ONCE = 256;

type Growth = { readonly kind: string; readonly from: number; readonly to: number; readonly napMs: number };
type HiveEvent = { type: 'hive.grow' } & Growth;
type HiveContext = { self: string };

export const childName = (kind: string, index: number): string => `${kind}/a${index}`;

const hiveMachine = setup({
  types: {} as { context: HiveContext; events: HiveEvent; input: HiveContext },
  actions: { request: requestAction },
}).createMachine({
  id: 'hive',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ self: input.self }),
  on: {
    'hive.grow': { actions: { type: 'request', params: ({ context, event }) => grow(context.self, event) } },
  },
});

function grow(self: string, { kind, from, to, napMs }: Growth) {
  const until = Math.min(to, from + SPAWNED_AT_ONCE);
  const births = Array.from({ length: until - from }, (_, at) => spawn(kind, `a${from + at}`, { napMs }));
  return until < to ? [...births, send(self, { type: 'hive.grow', kind, from: until, to, napMs } as never)] : births;
}

/** Brings others into being, in the order of their numbers. */
export const hiveActor = defineActor({
  kind: 'hive',
  version: 1,
  machine: hiveMachine,
  input: z.object({ self: z.string() }),
  context: z.object({ self: z.string() }),
  events: z.object({
    type: z.literal('hive.grow'),
    kind: z.string(),
    from: z.number(),
    to: z.number(),
    napMs: z.number(),
  }),
  effects: {},
  view: () => null,
});

const Nap = z.object({ napMs: z.number() });
const Poke = z.object({ type: z.literal('crowd.poke') });
type CrowdContext = { napMs: number; pokes: number };

const crowdSetup = setup({
  types: {} as { context: CrowdContext; events: z.infer<typeof Poke>; input: z.infer<typeof Nap> },
  delays: { nap: ({ context }) => context.napMs },
});
const poked = crowdSetup.assign({ pokes: ({ context }) => context.pokes + 1 });
const crowd = { context: z.object({ napMs: z.number(), pokes: z.number() }), input: Nap, events: Poke, effects: {} };

/** Does nothing until somebody pokes it. */
export const sleeperActor = defineActor({
  ...crowd,
  kind: 'sleeper',
  version: 1,
  machine: crowdSetup.createMachine({
    id: 'sleeper',
    options: { maxIterations: 100 },
    context: ({ input }) => ({ napMs: input.napMs, pokes: 0 }),
    initial: 'asleep',
    states: {
      asleep: { on: { 'crowd.poke': { target: 'stirred', actions: poked } } },
      stirred: { on: { 'crowd.poke': { target: 'asleep', actions: poked } } },
    },
  }),
  view: (snapshot) => ({ pokes: snapshot.context.pokes }),
});

/** Has a timer: wakes up by itself once. */
export const napperActor = defineActor({
  ...crowd,
  kind: 'napper',
  version: 1,
  machine: crowdSetup.createMachine({
    id: 'napper',
    options: { maxIterations: 100 },
    context: ({ input }) => ({ napMs: input.napMs, pokes: 0 }),
    initial: 'napping',
    on: { 'crowd.poke': { actions: poked } },
    states: { napping: { after: { nap: 'awake' } }, awake: {} },
  }),
  view: (snapshot) => ({ pokes: snapshot.context.pokes }),
});
