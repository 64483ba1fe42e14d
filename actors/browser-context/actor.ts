import { BrowserContextInput } from '#contracts/actors/browser-context.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { BrowserContextMail, BrowserContextState } from './contract.ts';
import { browserContextEffects } from './effects.ts';
import { browserContextMachine } from './machine.ts';
import { released } from './released.ts';

export const browserContextActor = defineActor({
  kind: 'browser-context',
  version: 1,
  released,
  pool: 'browser',
  machine: browserContextMachine,
  input: BrowserContextInput,
  context: BrowserContextState,
  events: BrowserContextMail,
  effects: browserContextEffects,
  view: ({ context }) => ({
    session_id: context.session_id,
    task_id: context.task_id,
    owner: context.owner,
    observation: context.observation,
  }),
});
