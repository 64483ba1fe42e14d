// Work item
//
// One node of a task's plan: discover, read, extract, verify or write.
// Owns:     its role runs, its search call, its browser contexts, the envelope it hands back.
// Owns not: the plan, the task's events (it reports, the task publishes), what a page says.
//
//   WI1  Exactly one `work.finished` or `work.paused` is sent; afterwards the item is done.
//   WI2  It asks roles for proposals and carries out only what the proposal's kind allows for its own kind.
//   WI3  A page gets at most two browser contexts; `no_content` and `blocked` are never tried again.
//   WI4  After `work.pause` nothing new is started; what is in flight ends first.

import { assign, setup } from 'xstate';
import type { WorkItemInput } from '#contracts/actors/work-item.ts';
import { effectLogic, failureOf, requestAction } from '#runtime/core/authoring.ts';
import type { SearchInput, SearchOutput, WorkItemMail, WorkItemState } from './contract.ts';
import {
  askRole,
  claim,
  finish,
  isMine,
  isRetryablePage,
  mayNavigate,
  mayRead,
  reportPaused,
  startsSomething,
} from './rules.ts';
import { recordOutput } from './recording.ts';
import { closeContext, openContext, readContext, sessionId } from './browsing.ts';
import { envelopeOfFailure, envelopeOfPage, envelopeOfRole } from './envelopes.ts';
import { envelopeOfSearch, recordSearch, reportSearchStarted } from './searching.ts';

export const workItemMachine = setup({
  types: { context: {} as WorkItemState, input: {} as WorkItemInput, events: {} as WorkItemMail },
  actors: { search: effectLogic<SearchInput, SearchOutput>() },
  actions: { claim: requestAction, ask: requestAction, report: requestAction, browse: requestAction },
  guards: {
    pauseRequested: ({ context }) => context.pause_requested,
    wantsSearch: ({ event }) => event.type === 'role.finished' && event.output.role === 'search_planner',
    wantsNavigation: ({ context, event }) => mayNavigate(context, event),
    wantsReading: ({ context, event }) => mayRead(context, event),
    fromOtherSession: ({ context, event }) => !isMine(context, event),
    tryAgain: ({ context, event }) => isRetryablePage(context, event),
    pausedBeforeStart: ({ context, event }) => context.pause_requested && startsSomething(event),
  },
  delays: { pageLimit: 150_000 },
}).createMachine({
  id: 'work-item',
  options: { maxIterations: 100 },
  context: ({ input }) => ({
    ...input,
    asked: 0,
    attempt: 0,
    session_id: null,
    observation: null,
    briefs: [],
    pause_requested: false,
    envelope: null,
  }),
  on: { 'work.pause': { actions: assign({ pause_requested: true }) } },
  initial: 'claimed',
  states: {
    claimed: {
      entry: { type: 'claim', params: ({ context }) => claim(context) },
      always: 'proposing',
    },
    proposing: {
      entry: [
        { type: 'ask', params: ({ context }) => askRole(context) },
        assign({ asked: ({ context }) => context.asked + 1 }),
      ],
      on: {
        'role.finished': [
          {
            guard: 'pausedBeforeStart',
            target: 'paused',
            actions: { type: 'browse', params: ({ context }) => closeContext(context) },
          },
          {
            guard: 'wantsSearch',
            target: 'searching',
            actions: assign({
              briefs: ({ event }) => (event.output.role === 'search_planner' ? event.output.briefs : []),
            }),
          },
          {
            guard: 'wantsNavigation',
            target: 'navigating',
            actions: [
              { type: 'browse', params: ({ context }) => openContext(context) },
              assign({
                attempt: ({ context }) => context.attempt + 1,
                session_id: ({ context }) => sessionId(context),
              }),
            ],
          },
          {
            guard: 'wantsReading',
            target: 'reading',
            actions: { type: 'browse', params: ({ context }) => readContext(context) },
          },
          {
            target: 'finished',
            actions: [
              { type: 'report', params: ({ context, event }) => recordOutput(context, event.output) },
              { type: 'browse', params: ({ context }) => closeContext(context) },
              assign({ envelope: ({ context, event }) => envelopeOfRole(context, event.output) }),
            ],
          },
        ],
        'role.failed': {
          target: 'finished',
          actions: assign({ envelope: ({ event }) => ({ outcome: 'failed' as const, failure: event.failure }) }),
        },
      },
    },
    searching: {
      entry: { type: 'report', params: ({ context }) => reportSearchStarted(context) },
      invoke: {
        id: 'search',
        src: 'search',
        input: ({ context }) => ({
          briefs: context.briefs,
          allowed_domains: context.payload.kind === 'discover' ? context.payload.allowed_domains : [],
        }),
        onDone: {
          target: 'finished',
          actions: [
            { type: 'report', params: ({ context, event }) => recordSearch(context, event.output) },
            assign({ envelope: ({ event }) => envelopeOfSearch(event.output) }),
          ],
        },
        onError: {
          target: 'finished',
          actions: assign({ envelope: ({ event }) => envelopeOfFailure(failureOf(event)) }),
        },
      },
    },
    navigating: {
      on: {
        'context.observed': [
          { guard: 'fromOtherSession' },
          {
            guard: 'pauseRequested',
            target: 'paused',
            actions: { type: 'browse', params: ({ context }) => closeContext(context) },
          },
          { target: 'proposing', actions: assign({ observation: ({ event }) => event.observation }) },
        ],
        'context.failed': [
          { guard: 'fromOtherSession' },
          { guard: 'tryAgain', target: 'proposing', actions: assign({ observation: null, session_id: null }) },
          { target: 'finished', actions: assign({ envelope: ({ event }) => envelopeOfFailure(event.failure) }) },
        ],
      },
      after: { pageLimit: 'overdue' },
    },
    reading: {
      on: {
        'context.page': [
          { guard: 'fromOtherSession' },
          {
            target: 'finished',
            actions: [
              { type: 'browse', params: ({ context }) => closeContext(context) },
              assign({ envelope: ({ event }) => envelopeOfPage(event.page) }),
            ],
          },
        ],
        'context.failed': [
          { guard: 'fromOtherSession' },
          { guard: 'tryAgain', target: 'proposing', actions: assign({ observation: null, session_id: null }) },
          { target: 'finished', actions: assign({ envelope: ({ event }) => envelopeOfFailure(event.failure) }) },
        ],
      },
      after: { pageLimit: 'overdue' },
    },
    overdue: {
      entry: [
        { type: 'browse', params: ({ context }) => closeContext(context) },
        assign({
          envelope: {
            outcome: 'failed',
            failure: {
              code: 'browser.timeout',
              message: 'the page took longer than its limit',
              retry: { kind: 'never' },
            },
          },
        }),
      ],
      always: 'finished',
    },
    finished: {
      type: 'final',
      entry: { type: 'report', params: ({ context }) => finish(context) },
    },
    paused: {
      type: 'final',
      entry: { type: 'report', params: ({ context }) => reportPaused(context) },
    },
  },
});
