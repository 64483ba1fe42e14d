import { PaidCallInput } from '#contracts/actors/paid-call.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { PaidCallMail, PaidCallState } from './contract.ts';
import { paidCallEffects } from './effects.ts';
import { paidCallMachine } from './machine.ts';
import { released } from './released.ts';

export const paidCallActor = defineActor({
  kind: 'paid-call',
  version: 1,
  released,
  machine: paidCallMachine,
  input: PaidCallInput,
  context: PaidCallState,
  events: PaidCallMail,
  effects: paidCallEffects,
  view: ({ context: { task_id, role, purpose, reserve, cancelled } }) => ({
    task_id,
    role,
    purpose,
    reserve,
    cancelled,
  }),
});
