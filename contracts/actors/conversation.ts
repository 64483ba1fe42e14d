import * as z from 'zod';
import { DecimalString, Timestamp } from '../ids.ts';
import { Citation } from '../research/answer.ts';
import { Gap } from '../research/evidence.ts';
import { ChatMode } from '../research/task-spec.ts';

/** CH-06: an assistant message is made of typed parts. A client shows an unknown kind as a labelled fallback, never as nothing. */
export const MessagePart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), part_id: z.string(), markdown: z.string() }),
  z.object({
    kind: z.literal('clarification'),
    part_id: z.string(),
    question: z.string(),
    options: z.array(z.object({ value: z.string(), label: z.string() })),
    answered: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('plan'),
    part_id: z.string(),
    task_id: z.string(),
    plan_version: z.int().positive(),
    plan_hash: z.string(),
  }),
  /** The client draws it from the task's own events; nothing is asserted here. */
  z.object({ kind: z.literal('progress'), part_id: z.string(), task_id: z.string() }),
  z.object({
    kind: z.literal('citation'),
    part_id: z.string(),
    task_id: z.string(),
    citations: z.array(Citation),
    gaps: z.array(Gap),
  }),
  z.object({
    kind: z.literal('artifact'),
    part_id: z.string(),
    artifact_id: z.string(),
    revision: z.int().positive(),
    title: z.string(),
  }),
  z.object({
    kind: z.literal('authorization'),
    part_id: z.string(),
    authorization_id: z.string(),
    summary: z.string(),
  }),
]);
export type MessagePart = z.infer<typeof MessagePart>;

export const MessageView = z.object({
  message_id: z.string(),
  message_revision_id: z.string(),
  revision: z.int().positive(),
  author: z.enum(['user', 'assistant']),
  turn_id: z.string(),
  conversation_seq: DecimalString,
  client_message_id: z.string().nullable(),
  /** Empty for assistant messages. */
  text: z.string(),
  mode: ChatMode.nullable(),
  /** Empty for user messages. */
  parts: z.array(MessagePart),
  task_id: z.string().nullable(),
  created_time: Timestamp,
  edited: z.boolean(),
});
export type MessageView = z.infer<typeof MessageView>;

export const ConversationView = z.object({
  conversation_id: z.string(),
  title: z.string(),
  created_time: Timestamp,
  updated_time: Timestamp,
  /** Number of the last event on `conversation:ID`. */
  conversation_seq: DecimalString,
  hidden: z.boolean(),
});
export type ConversationView = z.infer<typeof ConversationView>;

/** Events on `conversation:ID`. `message.posted` carries a new message, `message.changed` a message whose parts or text changed. */
export const ConversationEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('conversation.created'), data: z.object({ conversation_id: z.string() }) }),
  z.object({ type: z.literal('conversation.renamed'), data: z.object({ title: z.string() }) }),
  z.object({ type: z.literal('conversation.hidden'), data: z.object({ hidden: z.boolean() }) }),
  z.object({ type: z.literal('message.posted'), data: z.object({ message: MessageView }) }),
  z.object({ type: z.literal('message.changed'), data: z.object({ message: MessageView }) }),
]);
export type ConversationEvent = z.infer<typeof ConversationEvent>;
