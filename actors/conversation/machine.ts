// Conversation
//
// Messages of a person and the assistant's typed answers.
// Owns:     the order of messages, revisions, turns, what a message leads to (an answer or a task).
// Owns not: tasks (they outlive and outnumber it, CH-09), the text of old messages (rows).
//
//   CV1  A message, its revision, its turn and the watermark are one commit; a task is created by that commit, never before (CH-03).
//   CV2  Small talk, opening a result and unavailable modes start no task (CH-02).
//   CV3  An assistant message shows a task's progress by reference; answer parts come only from the task's own ending (CH-06).

import { assign, setup } from 'xstate';
import { requestAction } from '#runtime/core/authoring.ts';
import { ruleActions } from '#runtime/core/rule-actions.ts';
import type { ConversationInput, ConversationMail, ConversationState } from './contract.ts';
import type { Decision } from './decision.ts';
import {
  canRevise,
  endTurn,
  hideConversation,
  newConversation,
  open,
  postMessage,
  renameConversation,
  reviseMessage,
} from './rules.ts';

const by = <Event>(rule: (state: ConversationState, event: Event) => Decision) => ruleActions(rule);

export const conversationMachine = setup({
  types: { context: {} as ConversationState, input: {} as ConversationInput, events: {} as ConversationMail },
  actions: { carryOut: requestAction, adopt: assign((_args, state: ConversationState) => state) },
  guards: {
    canRevise: ({ context, event }) => event.type === 'conversation.message.revise' && canRevise(context, event),
    isOpenTurn: ({ context, event }) =>
      event.type === 'turn.task_ended' && context.open.some((message) => message.task_id === event.task_id),
  },
}).createMachine({
  id: 'conversation',
  options: { maxIterations: 100 },
  context: ({ input }) => newConversation(input),
  initial: 'open',
  states: {
    open: {
      entry: by((state: ConversationState) => open(state)),
      on: {
        'conversation.message.post': { actions: by(postMessage) },
        'conversation.message.revise': { guard: 'canRevise', actions: by(reviseMessage) },
        'conversation.rename': { actions: by(renameConversation) },
        'conversation.hide': { actions: by(hideConversation) },
        'turn.task_ended': { guard: 'isOpenTurn', actions: by(endTurn) },
      },
    },
  },
});
