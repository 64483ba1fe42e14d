import * as z from 'zod';
import { ConversationId, DecimalString, MessageId, MessageRevisionId, Sha256, TurnId } from '../ids.ts';
import { ConversationView, MessageView } from '../actors/conversation.ts';
import { ChatMode } from '../research/task-spec.ts';
import { typedText } from './typed-text.ts';

export const CreateConversation = z.strictObject({
  conversation_id: ConversationId.optional(),
  title: typedText(200).optional(),
});
export const ConversationCreated = z.object({ conversation_id: ConversationId });

export const PostMessage = z.strictObject({
  client_message_id: z.string().regex(/^[A-Za-z0-9_-]{8,80}$/),
  text: typedText(20_000),
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
  /** SHA-256 of the UTF-8 bytes of the text the change was made from. */
  base_hash: Sha256.optional(),
  text: typedText(20_000),
});
export const ChangeConversation = z.strictObject({
  title: typedText(200).optional(),
  hidden: z.boolean().optional(),
});

export const ConversationList = z.object({ conversations: z.array(ConversationView) });
export const ConversationDetail = ConversationView.extend({ messages: z.array(MessageView) });
export type ConversationDetail = z.infer<typeof ConversationDetail>;
