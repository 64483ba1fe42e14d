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
//   T7  A changed plan is a new version with its own hash and preflight, and waits for a start that names it (TS-06).
//   T8  Money is reserved in an account that is open before the first call; short money ends the search, never the report (BU-03).
//   T9  A report that cannot be written for the moment leaves the task paused; a resume writes it and reads nothing again.
//   T10 What an earlier task found is verified again under this one, with the time it was really read (TK-06).

import type { MailOf, Probed } from './contract.ts';
import { draftStates } from './draft-states.ts';
import * as drafting from './drafting.ts';
import * as lifecycle from './lifecycle.ts';
import { newTask, probeInput } from './new-task.ts';
import * as progress from './progress.ts';
import { account, adoptQuietly, by, endAs, note, problemOf, stop, taskSetup, type Done } from './task-setup.ts';

export const taskMachine = taskSetup.createMachine({
  id: 'task',
  options: { maxIterations: 100 },
  context: ({ input }) => newTask(input),
  initial: 'draft',
  states: {
    draft: draftStates,
    ready: {
      always: {
        guard: 'startsByItself',
        target: 'queued',
        actions: by((state, event: object) => lifecycle.enqueue(state, event, 'policy')),
      },
      on: {
        'task.stop': { target: 'stopping', actions: stop },
        'task.start': [
          {
            guard: 'mayStart',
            target: 'queued',
            actions: by((state, event: object) => lifecycle.enqueue(state, event, 'user')),
          },
          { guard: 'namesThisPlan', actions: by(drafting.refuseStart) },
        ],
        'task.compile': [
          { guard: 'misfits', actions: by(drafting.refuseChange) },
          { guard: 'asksToCompile', target: 'draft.compiling', actions: by(drafting.revise) },
          { target: 'draft.freezing', actions: by(drafting.revise) },
        ],
        'task.preflight': [
          { guard: 'wantsProbe', target: 'probing', actions: by(drafting.beginProbe) },
          { actions: by(drafting.recheck) },
        ],
        'task.cancel': { target: 'cancelled', actions: endAs('cancelled') },
        ...account,
      },
    },
    probing: {
      invoke: {
        id: 'probe',
        src: 'probeTools',
        input: ({ context }) => probeInput(context),
        onDone: {
          target: 'ready',
          actions: by((state, event: Done<Probed>) => drafting.adoptProbe(state, event, event.output.findings)),
        },
        onError: {
          target: 'ready',
          actions: by((state, event: object) => drafting.noteProbeFailed(state, event, problemOf(event))),
        },
      },
      on: {
        'task.stop': { target: 'stopping', actions: stop },
        'task.cancel': { target: 'cancelled', actions: endAs('cancelled') },
        ...account,
      },
    },
    queued: {
      on: {
        ...account,
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
        'work.waiting': { actions: by(progress.noteWaiting) },
        'work.retrying': { actions: by(progress.noteRetrying) },
        ...account,
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
              actions: by((state, event: MailOf<'work.finished'>) => progress.adoptFinished(state, event, 'advance')),
            },
            'role.finished': {
              actions: by((state, event: MailOf<'role.finished'>) => progress.adoptChoice(state, event, event.output)),
            },
            'role.failed': {
              target: 'deciding',
              actions: note,
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
            { guard: 'writerBroke', actions: by(progress.writeWithoutMoney) },
            { guard: 'writerBusy', target: '#task.paused', actions: by(lifecycle.pauseForLater) },
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
              actions: note,
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
        ...account,
        'task.stop': { target: 'stopping', actions: stop },
        'task.cancel': { target: 'stopping', actions: stop },
      },
      after: { pauseLimit: { target: 'paused', actions: by(lifecycle.paused) } },
    },
    paused: {
      on: {
        'task.resume': { target: 'resuming', actions: by(lifecycle.beginResume) },
        'task.stop': { target: 'stopping', actions: stop },
        'task.cancel': { target: 'stopping', actions: stop },
        ...account,
      },
    },
    // Still paused for everybody: nothing runs before what it builds on was looked at.
    resuming: {
      invoke: {
        id: 'recheck',
        src: 'probeTools',
        input: ({ context }) => probeInput(context),
        onDone: [
          {
            guard: 'mayResume',
            target: 'running',
            actions: by((state, event: Done<Probed>) => lifecycle.resume(state, event, event.output)),
          },
          {
            target: 'paused',
            actions: by((state, event: Done<Probed>) => lifecycle.refuseResume(state, event, event.output)),
          },
        ],
        onError: {
          target: 'paused',
          actions: by((state, event: object) => lifecycle.noteResumeFailed(state, event, problemOf(event))),
        },
      },
      on: {
        'task.stop': { target: 'stopping', actions: stop },
        'task.cancel': { target: 'stopping', actions: stop },
        ...account,
      },
    },
    stopping: {
      initial: 'closing',
      on: {
        // A package that was being sealed when the stop came: what it holds was committed before.
        'artifact.sealed': { actions: by(lifecycle.adoptSealed) },
        'child.fenced': { actions: by(lifecycle.noteQuarantine) },
        'work.finished': { actions: by(progress.adoptAfterStop) },
        ...account,
      },
      after: {
        stopLimit: { target: 'stopped', actions: endAs('stopped') },
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
              actions: by((state, event: MailOf<'role.finished'>) =>
                lifecycle.adoptStoppedAnswer(state, event, event.output),
              ),
            },
            'role.failed': {
              target: 'done',
              actions: note,
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
              actions: note,
            },
          },
        },
        done: {
          always: {
            target: '#task.stopped',
            actions: endAs('stopped'),
          },
        },
      },
    },
    completing: {
      always: { target: 'completed', actions: endAs('completed') },
    },
    ending: {
      always: {
        target: 'partial_failed',
        actions: endAs('partial_failed'),
      },
    },
    failing: {
      always: { target: 'failed', actions: endAs('failed') },
    },
    stopped: { type: 'final' },
    completed: { type: 'final' },
    partial_failed: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
