import { defineActor } from '#runtime/core/define-actor.ts';
import { ConversationInput, ConversationMail, ConversationState } from './contract.ts';
import { viewConversation } from './decision.ts';
import { conversationMachine } from './machine.ts';
import { released } from './released.ts';

export const conversationActor = defineActor({
  kind: 'conversation',
  version: 1,
  released,
  machine: conversationMachine,
  input: ConversationInput,
  context: ConversationState,
  events: ConversationMail,
  effects: {},
  view: ({ context }) => viewConversation(context),
});
