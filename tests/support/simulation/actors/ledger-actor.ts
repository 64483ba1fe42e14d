// Money that hands reserve before they pay. Never overdrawn, every reservation ends once.

import { assign, setup } from 'xstate';
import * as z from 'zod';
import { requestAction } from '#runtime/core/authoring.ts';
import { defineActor, type ActorDefinition } from '#runtime/core/define-actor.ts';
import { send, type Request } from '#runtime/core/requests.ts';

export const BUDGET = 4;

const LedgerContext = z.object({
  /** Reservations that are open, by hand. */
  held: z.record(z.string(), z.number()),
  spent: z.number(),
  refused: z.number(),
  /** Hands that were stopped; whatever still comes of them reserves nothing. */
  closed: z.array(z.string()),
  /** Settled without a reservation. */
  strays: z.number(),
});
type LedgerContext = z.infer<typeof LedgerContext>;
export type LedgerState = LedgerContext;
type Asked = { readonly hand: string; readonly ticket: number };
type LedgerEvent =
  ({ type: 'ledger.reserve' | 'ledger.settle' | 'ledger.release' } & Asked) | { type: 'ledger.close'; hand: string };

const mayReserve = (context: LedgerContext, hand: string): boolean =>
  !context.closed.includes(hand) &&
  context.held[hand] === undefined &&
  context.spent + Object.keys(context.held).length < BUDGET;

const answer =
  (type: 'ledger.granted' | 'ledger.refused') =>
  ({ event }: { readonly event: LedgerEvent }): Request[] =>
    'ticket' in event ? [send(event.hand, { type, ticket: event.ticket })] : [];

function without(held: LedgerContext['held'], hand: string): LedgerContext['held'] {
  return Object.fromEntries(Object.entries(held).filter(([name]) => name !== hand));
}

const isOpen = (context: LedgerContext, event: Asked): boolean => context.held[event.hand] === event.ticket;

const machine = setup({
  types: {} as { context: LedgerContext; events: LedgerEvent },
  actions: { request: requestAction },
  guards: {
    mayReserve: ({ context, event }) => 'ticket' in event && mayReserve(context, event.hand),
    isOpen: ({ context, event }) => 'ticket' in event && isOpen(context, event),
    isClosed: ({ context, event }) => context.closed.includes(event.hand),
  },
}).createMachine({
  id: 'ledger',
  options: { maxIterations: 100 },
  context: { held: {}, spent: 0, refused: 0, closed: [], strays: 0 },
  on: {
    'ledger.reserve': [
      {
        guard: 'mayReserve',
        actions: [
          assign({ held: ({ context, event }) => ({ ...context.held, [event.hand]: event.ticket }) }),
          { type: 'request', params: answer('ledger.granted') },
        ],
      },
      {
        actions: [
          assign({ refused: ({ context }) => context.refused + 1 }),
          { type: 'request', params: answer('ledger.refused') },
        ],
      },
    ],
    'ledger.settle': [
      {
        guard: 'isOpen',
        actions: assign({
          held: ({ context, event }) => without(context.held, event.hand),
          spent: ({ context }) => context.spent + 1,
        }),
      },
      { guard: 'isClosed' },
      { actions: assign({ strays: ({ context }) => context.strays + 1 }) },
    ],
    'ledger.release': {
      // a hand may give up before it heard whether it got anything
      guard: 'isOpen',
      actions: assign({ held: ({ context, event }) => without(context.held, event.hand) }),
    },
    'ledger.close': {
      actions: assign({
        held: ({ context, event }) => without(context.held, event.hand),
        closed: ({ context, event }) => [...new Set([...context.closed, event.hand])],
      }),
    },
  },
});

export const ledgerActor: ActorDefinition = defineActor({
  kind: 'ledger',
  version: 1,
  machine,
  input: z.object({}),
  context: LedgerContext,
  events: z.looseObject({ type: z.string() }),
  effects: {},
  view: (snapshot) => snapshot.context as unknown,
});
