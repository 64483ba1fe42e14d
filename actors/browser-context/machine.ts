// Browser context
//
// One isolated context of the real browser, used by one work item.
// Owns:     the session, the last observation with its document generation, the single action in flight.
// Owns not: which page is read and why (work item), what the page says (source revision, reader).
//
//   BC1  One action at a time; an order while one is in flight is ignored.
//   BC2  `navigate` is sent at most once; after a crash its outcome is reported as unknown, never repeated (BR-06).
//   BC3  A read names the document generation it saw; another document is not read in its place.
//   BC4  After any failure the context closes; nothing of it is restored, the work item opens a new one (TK-07).

import { assign, setup } from 'xstate';
import type { BrowserContextInput, BrowserContextOrder } from '#contracts/actors/browser-context.ts';
import { effectLogic, failureOf, requestAction } from '#runtime/core/authoring.ts';
import type {
  BrowserContextState,
  CloseInput,
  NavigateInput,
  Observed,
  OpenInput,
  PageRead,
  ReadInput,
} from './contract.ts';
import { openInput, reportFailure, reportObserved, reportPage } from './rules.ts';

type Event = BrowserContextOrder | { type: 'child.fenced'; address: string };

export const browserContextMachine = setup({
  types: { context: {} as BrowserContextState, input: {} as BrowserContextInput, events: {} as Event },
  actors: {
    openSession: effectLogic<OpenInput, { opened: true }>(),
    navigate: effectLogic<NavigateInput, Observed>(),
    readPage: effectLogic<ReadInput, PageRead>(),
    closeSession: effectLogic<CloseInput, { closed: true }>(),
  },
  actions: { report: requestAction },
  delays: { idleLimit: 120_000 },
}).createMachine({
  id: 'browser-context',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ ...input, observation: null, action: null }),
  initial: 'waiting',
  states: {
    // The browser is opened by the first order, not by the existence of the actor.
    waiting: {
      on: {
        'context.navigate': {
          target: 'opening',
          actions: assign({
            action: ({ event }) => ({ kind: 'navigate' as const, action_id: event.action_id, url: event.url }),
          }),
        },
        'context.close': 'closed',
      },
      after: { idleLimit: 'closed' },
    },
    opening: {
      invoke: {
        id: 'open',
        src: 'openSession',
        input: ({ context }) => openInput(context),
        onDone: 'navigating',
        onError: {
          target: 'closing',
          actions: { type: 'report', params: ({ context, event }) => reportFailure(context, failureOf(event)) },
        },
      },
    },
    navigating: {
      invoke: {
        id: 'navigation',
        src: 'navigate',
        input: ({ context }) => ({
          ...openInput(context),
          action_id: context.action?.action_id ?? '',
          url: context.action?.url ?? '',
        }),
        onDone: {
          target: 'ready',
          actions: [
            { type: 'report', params: ({ context, event }) => reportObserved(context, event.output.observation) },
            assign({ observation: ({ event }) => event.output.observation }),
          ],
        },
        onError: {
          target: 'closing',
          actions: { type: 'report', params: ({ context, event }) => reportFailure(context, failureOf(event)) },
        },
      },
    },
    ready: {
      on: {
        'context.navigate': {
          target: 'navigating',
          actions: assign({
            action: ({ event }) => ({ kind: 'navigate' as const, action_id: event.action_id, url: event.url }),
          }),
        },
        'context.read': {
          target: 'reading',
          actions: assign({
            action: ({ context, event }) => ({
              kind: 'read' as const,
              action_id: event.action_id,
              url: context.action?.url ?? '',
            }),
          }),
        },
        'context.close': 'closing',
      },
      after: { idleLimit: 'closing' },
    },
    reading: {
      invoke: {
        id: 'reading',
        src: 'readPage',
        input: ({ context }) => ({
          ...openInput(context),
          action_id: context.action?.action_id ?? '',
          document_generation: context.observation?.document_generation ?? '',
          requested_url: context.action?.url ?? '',
        }),
        onDone: {
          target: 'ready',
          actions: { type: 'report', params: ({ context, event }) => reportPage(context, event.output.page) },
        },
        onError: {
          target: 'closing',
          actions: { type: 'report', params: ({ context, event }) => reportFailure(context, failureOf(event)) },
        },
      },
    },
    closing: {
      invoke: {
        id: 'close',
        src: 'closeSession',
        input: ({ context }) => ({ session_id: context.session_id }),
        onDone: 'closed',
        onError: 'closed',
      },
    },
    closed: { type: 'final' },
  },
});
