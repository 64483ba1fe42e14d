import { assign, cancel, emit, raise, setup } from 'xstate';
import * as z from 'zod';
import { defineEffect, effectLogic, failureOf, requestAction } from '#runtime/core/authoring.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { publish, reply, send, setFence, spawn, write } from '#runtime/core/requests.ts';

type PlantContext = { load: number; laps: number; heard: string[] };
type PlantEvent =
  | {
      type: 'plant.start' | 'plant.pause' | 'plant.resume' | 'plant.stop' | 'plant.again' | 'plant.load' | 'plant.idle';
    }
  | { type: 'plant.nudge' };
type PlantTold = { type: 'plant.resumed'; calm: boolean };
type Sampled = { level: number };

/** Everything at once that the runtime supports: regions, history, raised and delayed events, loops, timers side by side. */
const plantMachine = setup({
  types: {} as { context: PlantContext; events: PlantEvent; input: { load: number }; emitted: PlantTold },
  actors: {
    sample: effectLogic<{ load: number }, Sampled>(),
    drain: effectLogic<object, object>(),
    signal: effectLogic<object, object>(),
  },
  actions: { ask: requestAction },
  guards: { isHeavy: ({ context }) => context.load > 1, isLight: ({ context }) => context.load <= 1 },
  delays: { lap: ({ context }) => 1_000 * (context.load + 1), settle: 50 },
}).createMachine({
  id: 'plant',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ load: input.load, laps: 0, heard: [] }),
  initial: 'idle',
  on: { 'plant.stop': '.stopping' },
  states: {
    idle: {
      entry: { type: 'ask', params: () => [publish('plant.idle', {}), setFence('plant', 1, false)] },
      on: {
        'plant.start': 'running',
        'plant.load': { actions: assign({ load: ({ context }) => (context.load + 1) % 3 }) },
      },
    },
    running: {
      type: 'parallel',
      entry: [raise({ type: 'plant.nudge' }), raise({ type: 'plant.nudge' }, { id: 'nudge', delay: 700 })],
      exit: cancel('nudge'),
      on: {
        'plant.pause': 'paused',
        'plant.again': { actions: [cancel('nudge'), raise({ type: 'plant.nudge' }, { id: 'nudge', delay: 900 })] },
        'plant.nudge': {
          actions: assign({ heard: ({ context }) => (context.heard.length < 2 ? [...context.heard, 'nudge'] : []) }),
        },
      },
      states: {
        meter: {
          initial: 'sampling',
          states: {
            sampling: {
              invoke: {
                id: 'sampler',
                src: 'sample',
                input: ({ context }) => ({ load: context.load }),
                onDone: [
                  {
                    guard: 'isHeavy',
                    target: 'alarmed',
                    actions: { type: 'ask', params: ({ event }) => [write('level', { id: 'l', ...event.output })] },
                  },
                  // stays where it is: the invoke is over, its state is not
                  { actions: assign({ laps: ({ context }) => Math.min(2, context.laps + 1) }) },
                ],
                onError: { target: 'resting', actions: assign({ heard: ({ event }) => [failureOf(event).code] }) },
              },
              after: { lap: { target: 'sampling', reenter: true } },
            },
            alarmed: {
              invoke: { id: 'alarm', src: 'signal', input: {}, onDone: 'resting', onError: 'resting' },
              always: { guard: 'isLight', target: 'resting' },
            },
            resting: { after: { 1_000: 'sampling' } },
          },
        },
        before: { type: 'history', history: 'deep' },
        valve: {
          initial: 'closed',
          states: {
            closed: { after: { settle: 'open' } },
            open: {
              entry: {
                type: 'ask',
                params: () => [send('valve/v', { type: 'valve.open' }), spawn('log', 'l', { at: 1 })],
              },
              after: { 1_000: { target: 'open', reenter: true }, 1_500: 'worn' },
            },
            worn: { type: 'final' },
          },
        },
      },
    },
    paused: {
      on: {
        'plant.resume': { target: 'running.before', actions: emit({ type: 'plant.resumed', calm: true }) },
        'plant.idle': 'idle',
      },
      after: { 0: { actions: assign({ laps: 0 }) } },
    },
    stopping: {
      entry: [
        { type: 'ask', params: () => [setFence('plant', 2, false), reply({ stopping: true })] },
        // nothing cancels it: the end of the actor has to
        raise({ type: 'plant.nudge' }, { id: 'echo', delay: 10_000 }),
      ],
      invoke: { id: 'drainer', src: 'drain', input: {}, onDone: 'stopped', onError: 'stopped' },
      after: { 5_000: 'stopped' },
    },
    stopped: { type: 'final', entry: { type: 'ask', params: () => [publish('plant.stopped', {})] } },
  },
});

const quick = { class: 'idempotent', timeoutMs: 1_000 } as const;

export const plantActor = defineActor({
  kind: 'plant',
  version: 1,
  machine: plantMachine,
  input: z.object({ load: z.number() }),
  context: z.object({ load: z.number(), laps: z.number(), heard: z.array(z.string()) }),
  events: z.object({ type: z.templateLiteral(['plant.', z.string()]) }),
  effects: {
    sample: defineEffect<{ load: number }, Sampled, object>({ ...quick, run: () => Promise.resolve({ level: 1 }) }),
    drain: defineEffect<object, object, object>({ ...quick, run: () => Promise.resolve({}) }),
    signal: defineEffect<object, object, object>({ ...quick, run: () => Promise.resolve({}) }),
  },
  view: ({ context }) => context,
});

type RingEvent = { type: 'ring.turn'; side: 'left' | 'right' | 'top' } | { type: 'ring.tell' | 'ring.toll' };
type RingContext = { tolls: number };
const side = (name: 'left' | 'right' | 'top') => {
  const tell = { 'ring.tell': { actions: { type: 'ask' as const, params: () => [publish('ring.told', { name })] } } };
  // reached by all regions in one microstep, without an event of its own
  const always = {
    guard: 'tolled' as const,
    target: 'tolling' as const,
    actions: { type: 'ask' as const, params: () => [publish('ring.tolled', { name })] },
  };
  const turns = { type: 'turns' as const, params: { name } };
  return {
    initial: 'even',
    states: {
      even: { always, on: { 'ring.turn': { guard: turns, target: 'odd' as const }, ...tell } },
      odd: { always, on: { 'ring.turn': { guard: turns, target: 'even' as const }, ...tell } },
      tolling: { on: { 'ring.turn': { guard: turns, target: 'odd' as const } } },
    },
  };
};

/** Regions that answer the same event: their order must not depend on what happened before, or on a restart. */
const ringMachine = setup({
  types: {} as { context: RingContext; events: RingEvent },
  actions: { ask: requestAction },
  guards: {
    turns: ({ event }, { name }: { name: string }) => event.type === 'ring.turn' && event.side === name,
    tolled: ({ context }) => context.tolls === 1,
  },
}).createMachine({
  id: 'ring',
  options: { maxIterations: 100 },
  context: { tolls: 0 },
  type: 'parallel',
  on: { 'ring.toll': { actions: assign({ tolls: ({ context }) => (context.tolls + 1) % 3 }) } },
  states: { left: side('left'), right: side('right'), top: side('top') },
});

export const ringActor = defineActor({
  kind: 'ring',
  version: 1,
  machine: ringMachine,
  input: z.object({}),
  context: z.object({ tolls: z.number() }),
  events: z.looseObject({ type: z.templateLiteral(['ring.', z.string()]) }),
  effects: {},
  view: () => null,
});
