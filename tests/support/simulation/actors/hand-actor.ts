// A worker bee: asks the ledger, pays once, fetches repeatably, waits, talks, fails.
//
// What must never happen shows in its context: `confused` lists every answer it did not wait for.

import { assign, setup } from 'xstate';
import * as z from 'zod';
import { defineEffect, effectLogic, failureOf, requestAction, type EffectContext } from '#runtime/core/authoring.ts';
import { defineActor, type ActorDefinition } from '#runtime/core/define-actor.ts';
import { publish, reply, send, write, type Request } from '#runtime/core/requests.ts';

export const LEDGER = 'ledger/main';
export const WAIT_MS = 2000;
/** Effects give up after this time. */
export const EFFECT_TIMEOUT_MS = 3000;

export type HandPorts = {
  readonly call: (what: 'fetch' | 'pay', ticket: number, fx: EffectContext<HandPorts>) => Promise<number>;
};

const HandContext = z.object({
  name: z.string(),
  desk: z.string().nullable(),
  /** Number of the last question this actor asked of anybody; the answer must carry it. */
  ticket: z.number(),
  ticks: z.number(),
  waits: z.number(),
  paid: z.number(),
  doubtful: z.number(),
  fetched: z.number(),
  said: z.record(z.string(), z.number()),
  heard: z.record(z.string(), z.number()),
  confused: z.array(z.string()),
});
type HandContext = z.infer<typeof HandContext>;
export type HandState = HandContext;
type HandEvent =
  | { type: 'hand.fetch' | 'hand.pay' | 'hand.wait' | 'hand.cancel' | 'hand.explode' | 'hand.finish' | 'hand.tick' }
  | { type: 'hand.spoil' | 'hand.order' }
  | { type: 'hand.tell'; to: string }
  | { type: 'hand.say'; from: string; number: number }
  | { type: 'ledger.granted' | 'ledger.refused'; ticket: number };

type Args = { readonly context: HandContext; readonly event: HandEvent };

const askLedger =
  (what: 'reserve' | 'settle' | 'release') =>
  ({ context }: { readonly context: HandContext }): Request[] => [
    send(LEDGER, { type: `ledger.${what}`, hand: context.name, ticket: context.ticket }),
  ];

function tell({ context, event }: Args): Request[] {
  if (event.type !== 'hand.tell') return [];
  return [send(event.to, { type: 'hand.say', from: context.name, number: context.said[event.to] ?? 0 })];
}

function tick({ context }: { readonly context: HandContext }): Request[] {
  const told = context.desk === null ? [] : [send(context.desk, { type: 'desk.report', ticks: context.ticks })];
  return [publish('hand.ticked', { ticks: context.ticks }), reply({ ticks: context.ticks }), ...told];
}

const nextTicket = assign<HandContext, HandEvent, undefined, HandEvent, never>({
  ticket: ({ context }) => context.ticket + 1,
});

const wrongAnswer = (context: HandContext, what: string, answer: unknown): string[] =>
  answer === context.ticket ? context.confused : [...context.confused, `${what} ${String(answer)}`];

const machine = setup({
  types: {} as { context: HandContext; events: HandEvent; input: { name: string; desk: string | null } },
  actors: { fetch: effectLogic<{ ticket: number }, number>(), pay: effectLogic<{ ticket: number }, number>() },
  actions: { request: requestAction },
  guards: {
    isMine: ({ context, event }) => event.type === 'ledger.granted' && event.ticket === context.ticket,
    // the result of an invoke is an event that no mail can carry
    isUnknown: ({ event }) => failureOf(event as { readonly error?: unknown }).code === 'effect.unknown',
    isRefusal: ({ context, event }) => event.type === 'ledger.refused' && event.ticket === context.ticket,
  },
}).createMachine({
  id: 'hand',
  options: { maxIterations: 100 },
  context: ({ input }) => ({
    ...input,
    ...{ ticket: 0, ticks: 0, waits: 0, paid: 0, doubtful: 0, fetched: 0, said: {}, heard: {}, confused: [] },
  }),
  initial: 'idle',
  on: {
    'hand.tick': {
      actions: [assign({ ticks: ({ context }) => context.ticks + 1 }), { type: 'request', params: tick }],
    },
    'hand.order': { actions: { type: 'request', params: tick } },
    'hand.tell': {
      actions: [
        assign({
          said: ({ context, event }) => ({ ...context.said, [event.to]: (context.said[event.to] ?? 0) + 1 }),
        }),
        { type: 'request', params: tell },
      ],
    },
    'hand.say': {
      actions: assign({
        heard: ({ context, event }) => ({ ...context.heard, [event.from]: event.number }),
        confused: ({ context, event }) =>
          event.number > (context.heard[event.from] ?? 0)
            ? context.confused
            : [...context.confused, `${event.from} said ${event.number} late`],
      }),
    },
    'hand.explode': {
      actions: assign(() => {
        throw new TypeError('boom');
      }),
    },
    'hand.spoil': { actions: { type: 'request', params: () => [write('spoiled', { id: 'x' })] } },
  },
  states: {
    idle: {
      on: {
        'hand.fetch': { target: 'fetching', actions: nextTicket },
        'hand.pay': { target: 'asking', actions: [nextTicket, { type: 'request', params: askLedger('reserve') }] },
        'hand.wait': 'waiting',
        'hand.finish': 'over',
      },
    },
    fetching: {
      on: { 'hand.cancel': 'idle', 'hand.fetch': { target: 'fetching', reenter: true, actions: nextTicket } },
      invoke: {
        id: 'fetch',
        src: 'fetch',
        input: ({ context }) => ({ ticket: context.ticket }),
        onDone: {
          target: 'idle',
          actions: assign({
            fetched: ({ context }) => context.fetched + 1,
            confused: ({ context, event }) => wrongAnswer(context, 'fetch', event.output),
          }),
        },
        onError: 'idle',
      },
    },
    asking: {
      on: {
        'ledger.granted': { target: 'paying', guard: 'isMine' },
        'ledger.refused': { target: 'idle', guard: 'isRefusal' },
        'hand.cancel': { target: 'idle', actions: { type: 'request', params: askLedger('release') } },
      },
    },
    paying: {
      invoke: {
        id: 'pay',
        src: 'pay',
        input: ({ context }) => ({ ticket: context.ticket }),
        onDone: {
          target: 'idle',
          actions: [
            assign({
              paid: ({ context }) => context.paid + 1,
              confused: ({ context, event }) => wrongAnswer(context, 'pay', event.output),
            }),
            { type: 'request', params: askLedger('settle') },
          ],
        },
        onError: [
          {
            // whether it happened is not known, so the money counts as spent
            guard: 'isUnknown',
            target: 'idle',
            actions: [
              assign({ doubtful: ({ context }) => context.doubtful + 1 }),
              { type: 'request', params: askLedger('settle') },
            ],
          },
          { target: 'idle', actions: { type: 'request', params: askLedger('release') } },
        ],
      },
      on: {
        'hand.cancel': { target: 'idle', actions: { type: 'request', params: askLedger('settle') } },
      },
    },
    waiting: {
      on: { 'hand.cancel': 'idle', 'hand.wait': { target: 'waiting', reenter: true } },
      after: { [WAIT_MS]: { target: 'idle', actions: assign({ waits: ({ context }) => context.waits + 1 }) } },
    },
    over: { type: 'final' },
  },
});

export const handActor: ActorDefinition = defineActor({
  kind: 'hand',
  version: 1,
  machine,
  input: z.object({ name: z.string(), desk: z.string().nullable() }),
  context: HandContext,
  events: z.looseObject({ type: z.string() }),
  effects: {
    fetch: defineEffect<{ ticket: number }, number, HandPorts>({
      class: 'idempotent',
      timeoutMs: EFFECT_TIMEOUT_MS,
      run: ({ ticket }, fx) => fx.ports.call('fetch', ticket, fx),
    }),
    pay: defineEffect<{ ticket: number }, number, HandPorts>({
      class: 'once',
      timeoutMs: EFFECT_TIMEOUT_MS,
      run: ({ ticket }, fx) => fx.ports.call('pay', ticket, fx),
    }),
  },
  view: (snapshot) => snapshot.context as unknown,
});
