import { conversationActor } from '#actors/conversation/actor.ts';
import type { ConversationState } from '#actors/conversation/contract.ts';
import { defineModel } from '../actor-model.ts';
import { QUESTION, TIME } from './research-fixtures.ts';

/** What a person may say, and what it leads to: a task, small talk, the last result, a mode that is not offered. */
const SAID = [
  { text: QUESTION, mode: 'smart' },
  { text: 'hello', mode: 'smart' },
  { text: 'open the report', mode: 'smart' },
  { text: QUESTION, mode: 'dataset' },
] as const;
const MAX_MESSAGES = 2;

const revisionOf = (message_id: string, base_revision_id: string) => ({
  type: 'conversation.message.revise',
  message_id,
  base_revision_id,
  message_revision_id: `${base_revision_id}-next`,
  text: 'How high?',
  time: TIME,
});

export const conversationModel = defineModel<ConversationState>({
  definition: conversationActor,
  scenarios: [{ name: 'a chat', input: { conversation_id: 'cnv_modelchat', created_time: TIME } }],
  mail: {
    'conversation.message.post': ({ sent }) =>
      sent.length >= MAX_MESSAGES
        ? []
        : SAID.map(({ text, mode }) => ({
            type: 'conversation.message.post',
            client_message_id: `client-${sent.length}`,
            message_id: `msg_model-${sent.length}`,
            message_revision_id: `mrv_model-${sent.length}`,
            turn_id: `trn_model-${sent.length}`,
            text,
            mode,
            request_hash: 'h',
            time: TIME,
          })),
    'conversation.message.revise': ({ sent }) =>
      sent.flatMap((message) => [
        ...(message.edited ? [] : [revisionOf(message.message_id, message.message_revision_id)]),
        revisionOf(message.message_id, 'mrv_older'),
      ]),
    'conversation.rename': () => [{ type: 'conversation.rename', title: 'Towers' }],
    'conversation.hide': () => [true, false].map((hidden) => ({ type: 'conversation.hide', hidden })),
    'turn.task_ended': ({ open }) =>
      [
        ...open.map(({ task_id, turn_id }) => ({ task_id, turn_id })),
        { task_id: 'tsk_other', turn_id: 'trn_other' },
      ].flatMap((turn) =>
        [null, { artifact_id: 'art_model-1', revision: 1, title: 'Tower' }].map((artifact) => ({
          type: 'turn.task_ended',
          ...turn,
          status: 'completed',
          markdown: '10 m',
          citations: [],
          gaps: [],
          artifact,
        })),
      ),
  },
  interrupts: ['conversation.hide'],
  keyOf: ({ title, hidden, sent, open, last_artifact }) => [
    title !== '',
    hidden,
    sent.map(({ edited }) => edited),
    open.length,
    last_artifact !== null,
  ],
});
