// Role run
//
// One proposal by one role: asked once, answered once.
// Owns:     the engine and the five pinned versions, its paid calls and their repairs, the answer to whoever asked.
// Owns not: what happens with the answer, the artifacts it read, permits and money (paid-call).
//
//   RR1  A role run sends exactly one report, `role.finished` or `role.failed`, and is then done.
//   RR2  The output is checked against the role's schema before anybody sees it.
//   RR3  The engine is the one it was given, or the configured one where none was given; never another one because that one failed.
//   RR4  An answer that cannot be used is asked for at most twice more, each time as a paid call of its own. Nothing else is repeated here.
//   RR5  What a model proposed and a check refused is in the notes, with the reason, and in no output.
//   RR6  The extractive engine proposes in one step, without a paid call.

import { assign, setup } from 'xstate';
import type { RoleRunInput } from '#contracts/actors/role.ts';
import { EXTRACTIVE } from '#contracts/research/engine.ts';
import { effectLogic, failureOf, requestAction } from '#runtime/core/authoring.ts';
import { roleDefinitions } from './role-catalogue.ts';
import type { Checked, CheckInput, PrepareInput, Prepared, RoleRunContext, RoleRunEvent } from './role-contract.ts';
import {
  answerOf,
  failureOfCall,
  isOfLastCall,
  mayRepair,
  orderPaidCall,
  reportFailed,
  reportFinished,
} from './role-rules.ts';

type PreparedEvent = { readonly output: Prepared };
type CheckedEvent = { readonly output: Checked };

const asked = ({ role_run_id, task_id, language, ask, memory }: RoleRunContext) => ({
  role_run_id,
  task_id,
  language,
  ask,
  memory: memory ?? [],
});

/** What is known of the run once it was prepared, for a report in the same step. */
const made = (context: RoleRunContext, { engine, versions }: Prepared): RoleRunContext => ({
  ...context,
  engine,
  versions,
});

export const roleRunMachine = setup({
  types: { context: {} as RoleRunContext, input: {} as RoleRunInput, events: {} as RoleRunEvent },
  actors: { prepare: effectLogic<PrepareInput, Prepared>(), check: effectLogic<CheckInput, Checked>() },
  actions: { report: requestAction, call: requestAction },
  guards: {
    isProposal: ({ event }) => (event as unknown as PreparedEvent).output.kind === 'proposed',
    isAccepted: ({ event }) => (event as unknown as CheckedEvent).output.kind === 'accepted',
    fromOtherCall: ({ context, event }) => !isOfLastCall(context, event),
    hasAnswer: ({ event }) => event.type === 'paid.finished' && answerOf(event) !== null,
    mayRepair: ({ event }) => mayRepair(event),
  },
}).createMachine({
  id: 'role-run',
  options: { maxIterations: 100 },
  context: ({ input }) => ({
    ...input,
    versions: roleDefinitions[input.ask.role].versions,
    calls: 0,
    pack: null,
    answer: null,
    problem: null,
    costs: [],
    notes: [],
  }),
  initial: 'preparing',
  states: {
    preparing: {
      invoke: {
        id: 'preparation',
        src: 'prepare',
        input: ({ context }) => ({ ...asked(context), engine: context.engine ?? null }),
        onDone: [
          {
            guard: 'isProposal',
            target: 'finished',
            actions: {
              type: 'report',
              params: ({ context, event }) =>
                event.output.kind === 'proposed'
                  ? reportFinished(made(context, event.output), event.output.output)
                  : [],
            },
          },
          {
            target: 'calling',
            actions: [
              {
                type: 'call',
                params: ({ context, event }) =>
                  event.output.kind === 'call' ? orderPaidCall(context, event.output.order) : [],
              },
              assign(({ context, event }) => ({
                ...made(context, event.output),
                calls: context.calls + 1,
                pack: event.output.kind === 'call' ? event.output.pack : null,
              })),
            ],
          },
        ],
        onError: {
          target: 'failed',
          actions: { type: 'report', params: ({ context, event }) => reportFailed(context, failureOf(event)) },
        },
      },
    },
    calling: {
      on: {
        'paid.finished': [
          { guard: 'fromOtherCall' },
          {
            guard: 'hasAnswer',
            target: 'checking',
            actions: assign({
              answer: ({ event }) => answerOf(event),
              problem: null,
              costs: ({ context, event }) => [...context.costs, event.cost],
            }),
          },
          {
            target: 'failed',
            actions: { type: 'report', params: ({ context, event }) => reportFailed(context, failureOfCall(event)) },
          },
        ],
        'paid.failed': [
          { guard: 'fromOtherCall' },
          {
            guard: 'mayRepair',
            target: 'checking',
            actions: assign({
              answer: null,
              problem: ({ event }) => event.failure.message,
              costs: ({ context, event }) => [...context.costs, event.cost],
            }),
          },
          {
            target: 'failed',
            actions: {
              type: 'report',
              params: ({ context, event }) =>
                reportFailed({ ...context, costs: [...context.costs, event.cost] }, failureOfCall(event)),
            },
          },
        ],
        'paid.refused': [
          { guard: 'fromOtherCall' },
          {
            target: 'failed',
            actions: { type: 'report', params: ({ context, event }) => reportFailed(context, failureOfCall(event)) },
          },
        ],
      },
    },
    checking: {
      invoke: {
        id: 'check',
        src: 'check',
        input: ({ context }) => ({
          ...asked(context),
          engine: context.engine ?? EXTRACTIVE,
          calls: context.calls,
          pack: context.pack ?? NOTHING_SHOWN,
          answer: context.answer,
          problem: context.problem,
        }),
        onDone: [
          {
            guard: 'isAccepted',
            target: 'finished',
            actions: {
              type: 'report',
              params: ({ context, event }) =>
                event.output.kind === 'accepted'
                  ? reportFinished({ ...context, notes: [...event.output.notes] }, event.output.output)
                  : [],
            },
          },
          {
            target: 'calling',
            actions: [
              {
                type: 'call',
                params: ({ context, event }) =>
                  event.output.kind === 'repair' ? orderPaidCall(context, event.output.order) : [],
              },
              assign(({ context, event }) => ({
                calls: context.calls + 1,
                pack: event.output.kind === 'repair' ? event.output.pack : context.pack,
                answer: null,
                problem: null,
              })),
            ],
          },
        ],
        onError: {
          target: 'failed',
          actions: { type: 'report', params: ({ context, event }) => reportFailed(context, failureOf(event)) },
        },
      },
    },
    finished: { type: 'final' },
    failed: { type: 'final' },
  },
});

const NOTHING_SHOWN = { window_tokens: 0, room_tokens: 0, shown: [], left_out: [] };
