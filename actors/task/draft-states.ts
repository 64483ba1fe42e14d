import type { Frozen, Inherited, MailOf, Surroundings, TaskState } from './contract.ts';
import * as drafting from './drafting.ts';
import { inheritInput, unusableSpec } from './new-task.ts';
import { account, by, endAs, note, stop, taskSetup, type Done } from './task-setup.ts';

/** From the asking to the frozen plan. Nothing of it touches the world but the compiler's own call. */
export const draftStates = taskSetup.createStateConfig({
  initial: 'preparing',
  on: {
    'task.stop': { target: 'stopping', actions: stop },
    'task.cancel': { target: 'cancelled', actions: endAs('cancelled') },
    ...account,
  },
  states: {
    preparing: {
      entry: by((state: TaskState) => drafting.create(state)),
      invoke: {
        id: 'surroundings',
        src: 'lookAround',
        input: {},
        onDone: {
          target: 'compiling',
          actions: by((state, event: Done<Surroundings>) => drafting.lookAround(state, event, event.output)),
        },
        onError: { target: '#task.failing', actions: note },
      },
    },
    compiling: {
      entry: by(drafting.compile),
      on: {
        'role.finished': {
          target: 'checking',
          actions: by((state, event: MailOf<'role.finished'>) => drafting.adoptSpec(state, event, event.output)),
        },
        'role.failed': [
          { guard: 'isUnusable', target: 'checking', actions: by(drafting.noteUnusable) },
          { target: '#task.failing', actions: note },
        ],
      },
    },
    checking: {
      always: [
        { guard: 'cannotPlan', target: 'clarifying', actions: by(drafting.askForQuestion) },
        { guard: 'mustRepair', target: 'compiling' },
        { guard: 'isOpen', target: 'clarifying', actions: by(drafting.askOpen) },
        { guard: 'hasParent', target: 'inheriting' },
        { target: 'freezing' },
      ],
    },
    clarifying: {
      on: {
        'task.answer': [
          { guard: 'leavesOpen', actions: by(drafting.refuseUnsettled) },
          { guard: 'isRestated', target: 'compiling', actions: by(drafting.settleAnswers) },
          { target: 'checking', actions: by(drafting.settleAnswers) },
        ],
      },
    },
    inheriting: {
      invoke: {
        id: 'inheritance',
        src: 'inheritResults',
        input: ({ context }) => inheritInput(context),
        onDone: {
          target: 'freezing',
          actions: by((state, event: Done<Inherited>) => drafting.inherit(state, event, event.output)),
        },
        onError: { target: '#task.failing', actions: note },
      },
    },
    freezing: {
      invoke: {
        id: 'freeze',
        src: 'freezePlan',
        input: ({ context }) => ({ spec: context.spec ?? unusableSpec(), plan_version: context.plan_version }),
        onDone: {
          target: '#task.ready',
          actions: by((state, event: Done<Frozen>) => drafting.freeze(state, event, event.output)),
        },
        onError: { target: '#task.failing', actions: note },
      },
    },
  },
});
