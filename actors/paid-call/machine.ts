// Paid call
//
// One call to a vendor who charges for it: turn, money, call, account, answer.
// Owns:     the order of these steps, and that each is ended whatever happens to whoever asked.
// Owns not: how many may run (limiter), how much may be spent (ledger), what the answer is worth (whoever asked).
//
// It is spawned without a fence: when a stop shuts out the one who asked, its answer is set aside and its money is settled (TK-05).
//
//   PC1  Nothing is sent before the permit is held and the money is reserved, in this order (BU-01, BU-02).
//   PC2  A call is sent at most once; whether to make another one is for whoever pays.
//   PC3  What was sent is settled, also when it failed, was aborted or is of no use; what it cost in part is settled in part.
//   PC4  Sent and not known what became of it: the hold stays (TK-06). Surely not sent: the money is let go.
//   PC5  A stop refuses what was not sent and aborts what is in flight; the fence of the task is looked at immediately before sending.
//   PC6  Whoever asked hears exactly one report, and the permit goes back with it.

import { assign, setup } from 'xstate';
import type { PaidCallInput } from '#contracts/actors/paid-call.ts';
import { effectLogic, failureOf, requestAction } from '#runtime/core/authoring.ts';
import type { AbortInput, CallEnd, PaidCallMail, PaidCallState, SendInput } from './contract.ts';
import * as rules from './rules.ts';

export const paidCallMachine = setup({
  types: { context: {} as PaidCallState, input: {} as PaidCallInput, events: {} as PaidCallMail },
  actors: {
    sendCall: effectLogic<SendInput, CallEnd>(),
    abortCall: effectLogic<AbortInput, { aborted: true }>(),
  },
  actions: { ask: requestAction, report: requestAction, cancel: assign({ cancelled: true }) },
  guards: {
    needsTurn: ({ context }) => context.limiter !== null,
    needsMoney: ({ context }) => context.reserve !== null,
  },
}).createMachine({
  id: 'paid-call',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ ...input, cancelled: false }),
  initial: 'starting',
  states: {
    starting: { always: [{ guard: 'needsTurn', target: 'queueing' }, { target: 'budgeting' }] },
    queueing: {
      entry: { type: 'ask', params: ({ context }) => rules.askPermit(context) },
      on: {
        'permit.granted': 'budgeting',
        'permit.refused': {
          target: 'refused',
          actions: { type: 'report', params: ({ context, event }) => rules.refusePermit(context, event) },
        },
        'paid.cancel': {
          target: 'refused',
          actions: { type: 'report', params: ({ context }) => rules.refuseCancelled(context) },
        },
      },
    },
    budgeting: { always: [{ guard: 'needsMoney', target: 'reserving' }, { target: 'calling' }] },
    reserving: {
      entry: { type: 'ask', params: ({ context }) => rules.askBudget(context) },
      on: {
        'budget.granted': 'calling',
        'budget.refused': {
          target: 'refused',
          actions: { type: 'report', params: ({ context, event }) => rules.refuseBudget(context, event) },
        },
        'paid.cancel': {
          target: 'refused',
          actions: {
            type: 'report',
            params: ({ context }) => [...rules.release(context), ...rules.refuseCancelled(context)],
          },
        },
      },
    },
    calling: {
      initial: 'sending',
      invoke: {
        id: 'call',
        src: 'sendCall',
        input: ({ context }) => ({ paid_call_id: context.paid_call_id, fence: context.fence, call: context.call }),
        onDone: {
          target: 'ended',
          actions: { type: 'report', params: ({ context, event }) => rules.settle(context, event.output) },
        },
        onError: {
          target: 'ended',
          actions: { type: 'report', params: ({ context, event }) => rules.settleBlind(context, failureOf(event)) },
        },
      },
      states: {
        sending: { on: { 'paid.cancel': { target: 'aborting', actions: 'cancel' } } },
        // The call itself ends, and says what it used; leaving its state would throw that away.
        aborting: {
          invoke: {
            id: 'abort',
            src: 'abortCall',
            input: ({ context }) => ({ paid_call_id: context.paid_call_id }),
            onDone: 'aborted',
            onError: 'aborted',
          },
        },
        aborted: {},
      },
    },
    ended: { type: 'final' },
    refused: { type: 'final' },
  },
});
