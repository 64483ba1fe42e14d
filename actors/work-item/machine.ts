// Work item
//
// One node of a task's plan: discover, read, extract, verify or write.
// Owns:     its role runs, its search call, its browser contexts, the envelope it hands back.
// Owns not: the plan, the task's events (it reports, the task publishes), what a page says.
//
//   WI1  Exactly one `work.finished` or `work.paused` is sent; afterwards the item is done.
//   WI2  It asks roles for proposals and carries out only what the proposal's kind allows for its own kind.
//   WI3  A page gets at most two browser contexts in a row; `no_content` and `blocked` are never tried again.
//   WI4  After `work.pause` nothing new is started; what is in flight ends first.
//   WI5  A passing failure is waited out under a durable timer, at most twice, inside the task's time (PL-04).
//   WI6  What the verifier accepted counts only after it was held against all that was read.

import { assign, setup } from 'xstate';
import type { Failure } from '#contracts/errors.ts';
import type { WorkItemInput } from '#contracts/actors/work-item.ts';
import { effectLogic, failureOf, requestAction } from '#runtime/core/authoring.ts';
import type { CompareInput, Comparison, SearchInput, SearchOutput, WorkItemMail, WorkItemState } from './contract.ts';
import {
  askRole,
  claim,
  compareInput,
  finish,
  isMine,
  isRetryablePage,
  mayNavigate,
  mayRead,
  reportPaused,
  startsSomething,
} from './rules.ts';
import { recordAnswer, recordVerified } from './recording.ts';
import { beginWait, mayRetry, reportRetrying, reportWaiting } from './retrying.ts';
import { closeContext, openContext, readContext, sessionId } from './browsing.ts';
import { envelopeOfFailure, envelopeOfPage, envelopeOfRole, envelopeOfVerified } from './envelopes.ts';
import { briefsOf, envelopeOfSearch, failureOfSearch, recordSearch, reportSearchStarted } from './searching.ts';

const at = (event: object): string => ('at' in event && typeof event.at === 'string' ? event.at : '');

/** What the event says went wrong, wherever it says it. */
function failureBy(event: object): Failure | null {
  if ('output' in event) return failureOfSearch(event.output as SearchOutput);
  if ('failure' in event) return (event as { failure: Failure }).failure;
  return 'error' in event ? failureOf(event) : null;
}

/** PL-04: into `retry_wait`, where the timer stands. */
const noteWait = {
  type: 'change' as const,
  params: ({ context, event }: { context: WorkItemState; event: object }): Partial<WorkItemState> => {
    const reason = failureBy(event);
    return reason === null ? {} : beginWait(context, reason, at(event));
  },
};
const goOn = [
  { type: 'report' as const, params: ({ context }: { context: WorkItemState }) => reportRetrying(context) },
  { type: 'change' as const, params: { wait: null } },
];
const waitOut = { guard: 'passes' as const, target: '#work-item.retry_wait', actions: noteWait };

export const workItemMachine = setup({
  types: { context: {} as WorkItemState, input: {} as WorkItemInput, events: {} as WorkItemMail },
  actors: {
    search: effectLogic<SearchInput, SearchOutput>(),
    compareSources: effectLogic<CompareInput, Comparison>(),
  },
  actions: {
    claim: requestAction,
    ask: requestAction,
    report: requestAction,
    browse: requestAction,
    change: assign((_args, change: Partial<WorkItemState>) => change),
  },
  guards: {
    pauseRequested: ({ context }) => context.pause_requested,
    wantsSearch: ({ event }) => event.type === 'role.finished' && event.output.role === 'search_planner',
    wantsNavigation: ({ context, event }) => mayNavigate(context, event),
    wantsReading: ({ context, event }) => mayRead(context, event),
    fromOtherSession: ({ context, event }) => !isMine(context, event),
    tryAgain: ({ context, event }) => isRetryablePage(context, event),
    passes: ({ context, event }) => mayRetry(context, failureBy(event), at(event)),
    hasBriefs: ({ context }) => context.briefs.length > 0,
    hasVerified: ({ context }) => context.verified !== null,
    isVerified: ({ context, event }) =>
      event.type === 'role.finished' && event.output.role === 'verifier' && context.payload.kind === 'verify',
    pausedBeforeStart: ({ context, event }) => context.pause_requested && startsSomething(event),
  },
  delays: { pageLimit: 150_000, backOff: ({ context }) => context.wait?.delay_ms ?? 0 },
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
    retries: 0,
    wait: null,
    verified: null,
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
            actions: [
              { type: 'report', params: ({ context, event }) => reportSearchStarted(context, briefsOf(event.output)) },
              assign({ briefs: ({ event }) => briefsOf(event.output) }),
            ],
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
            guard: 'isVerified',
            target: 'comparing',
            actions: assign({ verified: ({ event }) => event.output }),
          },
          {
            target: 'finished',
            actions: [
              { type: 'report', params: ({ context, event }) => recordAnswer(context, event.output) },
              { type: 'browse', params: ({ context }) => closeContext(context) },
              assign({ envelope: ({ context, event }) => envelopeOfRole(context, event.output) }),
            ],
          },
        ],
        'role.failed': [
          waitOut,
          {
            target: 'finished',
            actions: [
              { type: 'browse', params: ({ context }) => closeContext(context) },
              assign({ envelope: ({ event }) => envelopeOfFailure(event.failure) }),
            ],
          },
        ],
      },
    },
    comparing: {
      invoke: {
        id: 'compare',
        src: 'compareSources',
        input: ({ context }) => compareInput(context),
        onDone: {
          target: 'finished',
          actions: [
            { type: 'report', params: ({ context, event }) => recordVerified(context, event.output) },
            assign({ envelope: ({ context, event }) => envelopeOfVerified(context, event.output) }),
          ],
        },
        onError: [
          waitOut,
          {
            target: 'finished',
            actions: assign({ envelope: ({ event }) => envelopeOfFailure(failureOf(event)) }),
          },
        ],
      },
    },
    retry_wait: {
      entry: { type: 'report', params: ({ context }) => reportWaiting(context) },
      on: { 'work.pause': 'paused' },
      after: {
        // What was planned and verified stays: only the step that failed is made again.
        backOff: [
          { guard: 'hasBriefs', target: 'searching', actions: goOn },
          { guard: 'hasVerified', target: 'comparing', actions: goOn },
          { target: 'proposing', actions: goOn },
        ],
      },
    },
    searching: {
      invoke: {
        id: 'search',
        src: 'search',
        input: ({ context }) => ({
          task_id: context.task_id,
          briefs: context.briefs,
          allowed_domains: context.payload.kind === 'discover' ? context.payload.allowed_domains : [],
          ...(context.payload.kind === 'discover' && context.payload.asked !== undefined
            ? { asked: context.payload.asked }
            : {}),
        }),
        onDone: [
          waitOut,
          {
            target: 'finished',
            actions: [
              { type: 'report', params: ({ context, event }) => recordSearch(context, event.output) },
              assign({ envelope: ({ event }) => envelopeOfSearch(event.output) }),
            ],
          },
        ],
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
          waitOut,
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
          waitOut,
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
