import { WorkItemInput } from '#contracts/actors/work-item.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { WorkItemMail, WorkItemState } from './contract.ts';
import { workItemEffects } from './effects.ts';
import { workItemMachine } from './machine.ts';
import { released } from './released.ts';
import { upgrade } from './upgrade.ts';

export const workItemActor = defineActor({
  kind: 'work-item',
  version: 2,
  released,
  machine: workItemMachine,
  input: WorkItemInput,
  context: WorkItemState,
  events: WorkItemMail,
  effects: workItemEffects,
  upgrade,
  view: ({ context }) => ({
    work_item_id: context.work_item_id,
    task_id: context.task_id,
    kind: context.payload.kind,
    attempt: context.attempt,
    envelope: context.envelope,
  }),
});
