import * as z from 'zod';
import { MessageView } from '#contracts/actors/conversation.ts';
import { TaskReport } from '#contracts/actors/turn.ts';
import { ChatMode } from '#contracts/research/task-spec.ts';

export const ConversationInput = z.object({ conversation_id: z.string(), created_time: z.string() });
export type ConversationInput = z.infer<typeof ConversationInput>;

/** A person's message without its text; the text is in its row. */
export const SentMessage = MessageView.omit({ text: true, parts: true, author: true });
export type SentMessage = z.infer<typeof SentMessage>;

export const ConversationState = z.object({
  conversation_id: z.string(),
  title: z.string(),
  created_time: z.string(),
  updated_time: z.string(),
  hidden: z.boolean(),
  /** Number of events published so far; equals the runtime's own count. */
  event_seq: z.int().nonnegative(),
  /** The latest messages of the person, which can still be edited. */
  sent: z.array(SentMessage),
  /** Assistant messages whose task has not ended. */
  open: z.array(MessageView),
  last_artifact: z.object({ artifact_id: z.string(), revision: z.int(), title: z.string() }).nullable(),
});
export type ConversationState = z.infer<typeof ConversationState>;

export const ConversationMail = z.union([
  z.object({ type: z.literal('conversation.create') }),
  z.object({
    type: z.literal('conversation.message.post'),
    client_message_id: z.string(),
    message_id: z.string(),
    message_revision_id: z.string(),
    turn_id: z.string(),
    text: z.string().min(1).max(20_000),
    mode: ChatMode,
    request_hash: z.string(),
    time: z.string(),
  }),
  z.object({
    type: z.literal('conversation.message.revise'),
    message_id: z.string(),
    base_revision_id: z.string(),
    message_revision_id: z.string(),
    text: z.string().min(1).max(20_000),
    time: z.string(),
  }),
  z.object({ type: z.literal('conversation.rename'), title: z.string().min(1).max(200) }),
  z.object({ type: z.literal('conversation.hide'), hidden: z.boolean() }),
  TaskReport,
]);
export type ConversationMail = z.infer<typeof ConversationMail>;
export type MailOf<Type extends ConversationMail['type']> = Extract<ConversationMail, { type: Type }>;
