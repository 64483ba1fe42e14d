import * as z from 'zod';
import { ConversationId, DecimalString, MessageId, MessageRevisionId, TurnId } from '../ids.ts';
import { ConversationView, MessageView } from '../actors/conversation.ts';
import { ChatMode } from '../research/task-spec.ts';

export const CreateConversation = z.strictObject({
  conversation_id: ConversationId.optional(),
  title: z.string().max(200).optional(),
});
export const ConversationCreated = z.object({ conversation_id: ConversationId });

export const PostMessage = z.strictObject({
  client_message_id: z.string().regex(/^[A-Za-z0-9_-]{8,80}$/),
  text: z.string().min(1).max(20_000),
  mode: ChatMode.optional(),
  attachment_ids: z.array(z.string()).max(20).optional(),
});
export type PostMessage = z.infer<typeof PostMessage>;

/** The acknowledgement of storage, never of execution. */
export const MessageStored = z.object({
  message_id: MessageId,
  message_revision_id: MessageRevisionId,
  turn_id: TurnId,
  conversation_seq: DecimalString,
});
export type MessageStored = z.infer<typeof MessageStored>;

export const ReviseMessage = z.strictObject({
  base_revision_id: MessageRevisionId,
  base_hash: z.string().optional(),
  text: z.string().min(1).max(20_000),
});
export const ChangeConversation = z.strictObject({
  title: z.string().min(1).max(200).optional(),
  hidden: z.boolean().optional(),
});

export const ConversationList = z.object({ conversations: z.array(ConversationView) });
export const ConversationDetail = ConversationView.extend({ messages: z.array(MessageView) });
export type ConversationDetail = z.infer<typeof ConversationDetail>;
