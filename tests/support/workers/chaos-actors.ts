// Actors whose state says afterwards what was lost, repeated or out of order.

import { assign, setup } from 'xstate';
import * as z from 'zod';
import { defineEffect, effectLogic, failureOf, requestAction, type EffectContext } from '#runtime/core/authoring.ts';
import { defineActor, type ActorDefinition } from '#runtime/core/define-actor.ts';
import { publish, send } from '#runtime/core/requests.ts';

/** The far end of both effects: it notes what really arrived. */
export type ChaosPorts = { readonly call: (what: 'pay' | 'visit', fx: EffectContext<ChaosPorts>) => Promise<string> };

type TallyContext = { total: number; disorder: number; last: Record<string, number> };
type TallyEvent = { type: 'tally.add'; sender: string; number: number; weight?: string };

const tallySetup = setup({
  types: {} as { context: TallyContext; events: TallyEvent; input: object },
  actions: { request: requestAction },
});

/** Counts numbered messages of each sender; one that is not the next number is disorder. */
const tallyMachine = tallySetup.createMachine({
  id: 'tally',
  options: { maxIterations: 100 },
  context: { total: 0, disorder: 0, last: {} },
  on: {
    'tally.add': {
      actions: [
        tallySetup.assign({
          total: ({ context }) => context.total + 1,
          disorder: ({ context, event }) =>
            context.disorder + (event.number === (context.last[event.sender] ?? 0) + 1 ? 0 : 1),
          last: ({ context, event }) => ({ ...context.last, [event.sender]: event.number }),
        }),
        { type: 'request', params: ({ context }) => [publish('tally.added', { total: context.total })] },
      ],
    },
  },
});

export const tallyActor: ActorDefinition = defineActor({
  kind: 'tally',
  version: 1,
  machine: tallyMachine,
  input: z.object({}),
  context: z.object({ total: z.number(), disorder: z.number(), last: z.record(z.string(), z.number()) }),
  events: z.object({
    type: z.literal('tally.add'),
    sender: z.string(),
    number: z.number(),
    weight: z.string().optional(),
  }),
  effects: {},
  view: (snapshot) => snapshot.context as unknown,
});

type CourierContext = { name: string; to: string; sent: number };
type CourierEvent = { type: 'courier.go'; count: number };

const courierSetup = setup({
  types: {} as { context: CourierContext; events: CourierEvent; input: { name: string; to: string } },
  actions: { request: requestAction },
});

/** Sends `count` numbered messages to its tally with every `courier.go`. */
const courierMachine = courierSetup.createMachine({
  id: 'courier',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ ...input, sent: 0 }),
  on: {
    'courier.go': {
      actions: [
        courierSetup.assign({ sent: ({ context, event }) => context.sent + event.count }),
        {
          type: 'request',
          params: ({ context, event }) =>
            Array.from({ length: event.count }, (_unused, index) =>
              send(context.to, {
                type: 'tally.add',
                sender: context.name,
                number: context.sent - event.count + index + 1,
              } as { type: string }),
            ),
        },
      ],
    },
  },
});

export const courierActor: ActorDefinition = defineActor({
  kind: 'courier',
  version: 1,
  machine: courierMachine,
  input: z.object({ name: z.string(), to: z.string() }),
  context: z.object({ name: z.string(), to: z.string(), sent: z.number() }),
  events: z.object({ type: z.literal('courier.go'), count: z.number() }),
  effects: {},
  view: (snapshot) => snapshot.context as unknown,
});

type ErrandContext = { answers: string[] };

/** Runs one effect from its birth on and keeps every answer it ever gets. */
const errandMachine = setup({
  types: {} as { context: ErrandContext; events: { type: 'errand.none' }; input: object },
  actors: { call: effectLogic<object, string>() },
}).createMachine({
  id: 'errand',
  options: { maxIterations: 100 },
  context: { answers: [] },
  initial: 'running',
  states: {
    running: {
      invoke: {
        id: 'call',
        src: 'call',
        input: () => ({}),
        onDone: {
          target: 'ended',
          actions: assign({ answers: ({ context, event }) => [...context.answers, event.output] }),
        },
        onError: {
          target: 'ended',
          actions: assign({ answers: ({ context, event }) => [...context.answers, failureOf(event).code] }),
        },
      },
    },
    ended: {},
  },
});

function errandActor(kind: 'payment' | 'visit', what: 'pay' | 'visit', timeoutMs: number): ActorDefinition {
  return defineActor({
    kind,
    version: 1,
    machine: errandMachine,
    input: z.object({}),
    context: z.object({ answers: z.array(z.string()) }),
    events: z.object({ type: z.literal('errand.none') }),
    effects: {
      call: defineEffect<object, string, ChaosPorts>({
        class: what === 'pay' ? 'once' : 'idempotent',
        timeoutMs,
        attempts: 20,
        run: (_input, fx) => fx.ports.call(what, fx),
      }),
    },
    view: (snapshot) => snapshot.context as unknown,
  });
}

export const paymentActor = errandActor('payment', 'pay', 20_000);
export const visitActor = errandActor('visit', 'visit', 2_000);

type AlarmContext = { delayMs: number; rings: number };

const alarmMachine = setup({
  types: {} as { context: AlarmContext; events: { type: 'alarm.none' }; input: { delayMs: number } },
  delays: { ring: ({ context }) => context.delayMs },
}).createMachine({
  id: 'alarm',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ delayMs: input.delayMs, rings: 0 }),
  initial: 'waiting',
  states: {
    waiting: {
      after: { ring: { target: 'rung', actions: assign({ rings: ({ context }) => context.rings + 1 }) } },
    },
    rung: {},
  },
});

export const alarmActor: ActorDefinition = defineActor({
  kind: 'alarm',
  version: 1,
  machine: alarmMachine,
  input: z.object({ delayMs: z.number() }),
  context: z.object({ delayMs: z.number(), rings: z.number() }),
  events: z.object({ type: z.literal('alarm.none') }),
  effects: {},
  view: (snapshot) => snapshot.context as unknown,
});

export const CHAOS_ACTORS = [tallyActor, courierActor, paymentActor, visitActor, alarmActor];
