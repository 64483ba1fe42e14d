import { TaskRequest } from '#contracts/actors/task.ts';
import { defineActor, type CommandEvent } from '#runtime/core/define-actor.ts';
import { TaskMail, TaskState } from './contract.ts';
import { taskEffects } from './effects.ts';
import { taskMachine } from './machine.ts';
import { released } from './released.ts';
import { upgrade } from './upgrade.ts';
import { viewTask } from './view.ts';

/** The same events as the commands of the task's own interface. */
const commandEvent =
  (type: string): CommandEvent =>
  ({ requestId, operationId, time }) => ({ type, request_id: requestId, operation_id: operationId, time });

export const taskActor = defineActor({
  kind: 'task',
  version: 2,
  released,
  machine: taskMachine,
  input: TaskRequest,
  context: TaskState,
  events: TaskMail,
  effects: taskEffects,
  upgrade,
  view: ({ context }) => viewTask(context),
  commands: {
    pause: commandEvent('task.pause'),
    resume: commandEvent('task.resume'),
    stop: commandEvent('task.stop'),
  },
});
