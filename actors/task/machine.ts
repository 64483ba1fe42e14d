// Task
//
// One research question from the asking to the sealed package.
// Owns:     the frozen contract, the plan and its runs, the fence `task:<id>`, the event stream, the reason it ended.
// Owns not: pages, evidence and assertions (rows of the work items), prose (report_writer), files (artifact).
//
//   T1  Nothing runs before the plan is frozen under its hash; a start names exactly that hash and version (TS-06).
//   T2  `running` is what a worker's claim makes of `queued`, never the start itself (TK-02).
//   T3  A stop moves the state, the generation and the fence in one commit (TK-04); later results go to quarantine (TK-05).
//   T4  A pause converges before it says `paused`; a resume is a new run under a new fence (TK-03).
//   T5  No cited statement, no answer: the task then ends as failed with `evidence.insufficient`.
//   T6  Only the task publishes on `task:<id>`; an ended task publishes nothing more.

import { assign, setup } from 'xstate';
import { effectLogic, failureOf, requestAction } from '#runtime/core/authoring.ts';
import { ruleActions } from '#runtime/core/rule-actions.ts';
import type { TaskRequest } from '#contracts/actors/task.ts';
import type { CloseInput, Frozen, FreezeInput, TaskMail, TaskState } from './contract.ts';
import type { Decision } from './decision.ts';
import * as lifecycle from './lifecycle.ts';
import { runningNodes } from './plan.ts';
import * as progress from './progress.ts';
import { isOffered, modeProblem, newTask, unusableSpec } from './preflight.ts';

const by = <Event>(rule: (state: TaskState, event: Event) => Decision) => ruleActions(rule);

const adoptQuietly = by<Extract<TaskMail, { type: 'work.finished' }>>((state, event) =>
  progress.adoptFinished(state, event, 'quietly'),
);
const stop = by(lifecycle.stopping);

export const taskMachine = setup({
  types: { context: {} as TaskState, input: {} as TaskRequest, events: {} as TaskMail },
  actors: {
    freezePlan: effectLogic<FreezeInput, Frozen>(),
    closeSessions: effectLogic<CloseInput, { closed: true }>(),
  },
  actions: { carryOut: requestAction, adopt: assign((_args, state: TaskState) => state) },
  guards: {
    startsByItself: ({ context }) => context.request.auto_start,
    namesThisPlan: ({ context, event }) =>
      event.type === 'task.start' &&
      event.plan_hash === context.plan_hash &&
      event.plan_version === context.plan_version,
    modeOffered: ({ context }) => isOffered(context),
    planDone: ({ context }) => progress.isPlanDone(context),
    answered: ({ context }) => context.answer !== null,
    covered: ({ context }) => progress.hasCoverage(context),
    citesSomething: ({ context }) => (context.answer?.citations.length ?? 0) > 0,
    fullyCovered: ({ context }) => progress.isCovered(context),
    alreadySealed: ({ context }) => context.artifacts.some(({ status }) => status === 'sealed'),
    isReport: ({ event }) => event.type === 'role.finished' && event.output.role === 'report_writer',
    nothingRuns: ({ context }) => runningNodes(context).length === 0,
  },
  delays: {
    runLimit: ({ context }) => context.spec?.execution.max_duration_ms ?? 900_000,
    pauseLimit: 60_000,
    stopLimit: 20_000,
  },
}).createMachine({
  id: 'task',
  options: { maxIterations: 100 },
  context: ({ input }) => newTask(input),
  initial: 'draft',
  states: {
    draft: {
      initial: 'compiling',
      on: {
        'task.stop': { target: 'stopping', actions: stop },
        'task.cancel': {
          target: 'cancelled',
          actions: by((state, event: object) => lifecycle.end(state, event, 'cancelled')),
        },
      },
      states: {
        compiling: {
          entry: by((state: TaskState) => lifecycle.create(state)),
          on: {
            'role.finished': {
              target: 'checking',
              actions: by((state, event: Extract<TaskMail, { type: 'role.finished' }>) =>
                lifecycle.adoptSpec(state, event, event.output),
              ),
            },
            'role.failed': {
              target: '#task.failing',
              actions: by((state, event: Extract<TaskMail, { type: 'role.failed' }>) =>
                lifecycle.noteProblem(state, event, event.failure),
              ),
            },
          },
        },
        checking: {
          always: [
            { guard: 'modeOffered', target: 'freezing' },
            {
              target: '#task.failing',
              actions: by((state, event: object) => lifecycle.noteProblem(state, event, modeProblem(state))),
            },
          ],
        },
        freezing: {
          invoke: {
            id: 'freeze',
            src: 'freezePlan',
            input: ({ context }) => ({ spec: context.spec ?? unusableSpec(), plan_version: context.plan_version }),
            onDone: {
              target: '#task.ready',
              actions: by((state, event: { output: Frozen }) => lifecycle.freeze(state, event, event.output.plan_hash)),
            },
            onError: {
              target: '#task.failing',
              actions: by((state, event: { error: unknown }) => lifecycle.noteProblem(state, event, failureOf(event))),
            },
          },
        },
      },
    },
    ready: {
      always: {
        guard: 'startsByItself',
        target: 'queued',
        actions: by((state, event: object) => lifecycle.enqueue(state, event, 'policy')),
      },
      on: {
        'task.stop': { target: 'stopping', actions: stop },
        'task.start': {
          guard: 'namesThisPlan',
          target: 'queued',
          actions: by((state, event: object) => lifecycle.enqueue(state, event, 'user')),
        },
        'task.cancel': {
          target: 'cancelled',
          actions: by((state, event: object) => lifecycle.end(state, event, 'cancelled')),
        },
      },
    },
    queued: {
      on: {
        'work.claimed': { target: 'running', actions: by(lifecycle.beginRun) },
        'task.stop': { target: 'stopping', actions: stop },
        'task.cancel': { target: 'stopping', actions: stop },
      },
    },
    running: {
      initial: 'working',
      on: {
        'task.stop': { target: 'stopping', actions: stop },
        'task.cancel': { target: 'stopping', actions: stop },
        'work.progress': { actions: by(progress.relay) },
        'work.claimed': {},
      },
      states: {
        working: {
          always: [
            { guard: 'answered', target: 'writing' },
            { guard: 'planDone', target: 'deciding' },
          ],
          on: {
            'task.pause': { target: '#task.pausing', actions: by(lifecycle.pausing) },
            'work.finished': {
              actions: by((state, event: Extract<TaskMail, { type: 'work.finished' }>) =>
                progress.adoptFinished(state, event, 'advance'),
              ),
            },
            'role.finished': {
              actions: by((state, event: Extract<TaskMail, { type: 'role.finished' }>) =>
                progress.adoptChoice(state, event, event.output),
              ),
            },
            'role.failed': {
              target: 'deciding',
              actions: by((state, event: Extract<TaskMail, { type: 'role.failed' }>) =>
                lifecycle.noteProblem(state, event, event.failure),
              ),
            },
          },
          after: { runLimit: { target: 'deciding', actions: by(progress.expire) } },
        },
        deciding: {
          always: [
            { guard: 'covered', target: 'writing', actions: by(progress.beginWriting) },
            { target: '#task.failing', actions: by(lifecycle.noteNothingFound) },
          ],
        },
        writing: {
          always: [
            {
              guard: 'citesSomething',
              target: 'sealing',
              actions: by((state, event: object) =>
                lifecycle.seal(state, event, progress.isCovered(state) ? 'completed' : 'partial_failed'),
              ),
            },
            { guard: 'answered', target: '#task.failing', actions: by(lifecycle.noteNothingFound) },
            { guard: 'planDone', target: '#task.failing' },
          ],
          on: {
            'task.pause': { target: '#task.pausing', actions: by(lifecycle.pausing) },
            'work.finished': { actions: adoptQuietly },
          },
        },
        sealing: {
          on: {
            'artifact.sealed': [
              { guard: 'fullyCovered', target: '#task.completing', actions: by(lifecycle.adoptSealed) },
              { target: '#task.ending', actions: by(lifecycle.adoptSealed) },
            ],
            'artifact.failed': {
              target: '#task.ending',
              actions: by((state, event: Extract<TaskMail, { type: 'artifact.failed' }>) =>
                lifecycle.noteProblem(state, event, event.failure),
              ),
            },
          },
        },
      },
    },
    pausing: {
      always: { guard: 'nothingRuns', target: 'paused', actions: by(lifecycle.paused) },
      on: {
        'work.finished': { actions: adoptQuietly },
        'work.paused': { actions: by(progress.adoptPaused) },
        'work.progress': { actions: by(progress.relay) },
        'task.stop': { target: 'stopping', actions: stop },
        'task.cancel': { target: 'stopping', actions: stop },
      },
      after: { pauseLimit: { target: 'paused', actions: by(lifecycle.paused) } },
    },
    paused: {
      on: {
        'task.resume': { target: 'running', actions: by(lifecycle.resume) },
        'task.stop': { target: 'stopping', actions: stop },
        'task.cancel': { target: 'stopping', actions: stop },
      },
    },
    stopping: {
      initial: 'closing',
      on: {
        // A package that was being sealed when the stop came: what it holds was committed before.
        'artifact.sealed': { actions: by(lifecycle.adoptSealed) },
        'child.fenced': { actions: by(lifecycle.noteQuarantine) },
        'work.finished': { actions: by(progress.adoptAfterStop) },
      },
      after: {
        stopLimit: { target: 'stopped', actions: by((state, event: object) => lifecycle.end(state, event, 'stopped')) },
      },
      states: {
        closing: {
          invoke: {
            id: 'close',
            src: 'closeSessions',
            input: ({ context }) => ({ task_id: context.task_id }),
            onDone: 'composing',
            onError: 'composing',
          },
        },
        composing: {
          entry: by(lifecycle.composeStopped),
          on: {
            'role.finished': {
              guard: 'isReport',
              target: 'weighing',
              actions: by((state, event: Extract<TaskMail, { type: 'role.finished' }>) =>
                lifecycle.adoptStoppedAnswer(state, event, event.output),
              ),
            },
            'role.failed': {
              target: 'done',
              actions: by((state, event: Extract<TaskMail, { type: 'role.failed' }>) =>
                lifecycle.noteProblem(state, event, event.failure),
              ),
            },
          },
        },
        weighing: {
          always: [
            { guard: 'alreadySealed', target: 'done' },
            {
              guard: 'citesSomething',
              target: 'sealing',
              actions: by((state, event: object) => lifecycle.seal(state, event, 'stopped')),
            },
            { target: 'done' },
          ],
        },
        sealing: {
          on: {
            'artifact.sealed': { target: 'done', actions: by(lifecycle.adoptSealed) },
            'artifact.failed': {
              target: 'done',
              actions: by((state, event: Extract<TaskMail, { type: 'artifact.failed' }>) =>
                lifecycle.noteProblem(state, event, event.failure),
              ),
            },
          },
        },
        done: {
          always: {
            target: '#task.stopped',
            actions: by((state, event: object) => lifecycle.end(state, event, 'stopped')),
          },
        },
      },
    },
    completing: {
      always: { target: 'completed', actions: by((state, event: object) => lifecycle.end(state, event, 'completed')) },
    },
    ending: {
      always: {
        target: 'partial_failed',
        actions: by((state, event: object) => lifecycle.end(state, event, 'partial_failed')),
      },
    },
    failing: {
      always: { target: 'failed', actions: by((state, event: object) => lifecycle.end(state, event, 'failed')) },
    },
    stopped: { type: 'final' },
    completed: { type: 'final' },
    partial_failed: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
