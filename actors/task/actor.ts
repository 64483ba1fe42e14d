import { TaskRequest } from '#contracts/actors/task.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { TaskMail, TaskState } from './contract.ts';
import { taskEffects } from './effects.ts';
import { taskMachine } from './machine.ts';
import { viewTask } from './view.ts';

export const taskActor = defineActor({
  kind: 'task',
  version: 1,
  machine: taskMachine,
  input: TaskRequest,
  context: TaskState,
  events: TaskMail,
  effects: taskEffects,
  view: ({ context }) => viewTask(context),
});
