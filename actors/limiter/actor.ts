import { LimiterInput, LimiterMail } from '#contracts/actors/limiter.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { LimiterState } from './contract.ts';
import { limiterMachine } from './machine.ts';
import { released } from './released.ts';
import { viewLimiter } from './view.ts';

export const limiterActor = defineActor({
  kind: 'limiter',
  version: 1,
  released,
  machine: limiterMachine,
  input: LimiterInput,
  context: LimiterState,
  events: LimiterMail,
  effects: {},
  view: ({ context }) => viewLimiter(context),
});
