import * as z from 'zod';
import { fail } from '#contracts/errors.ts';
import {
  ChangeConversation,
  ConversationCreated,
  ConversationDetail,
  ConversationList,
  CreateConversation,
} from '#contracts/http/conversations.ts';
import { ConversationView } from '#contracts/actors/conversation.ts';
import { ConversationId } from '#contracts/ids.ts';
import { changeConversation, createConversation, requireConversation } from '../../commands/conversation-commands.ts';
import { readConversation } from '../../presenters/snapshot.ts';
import { presentStreamData } from '../../presenters/stream-event.ts';
import { answerEventStream } from '../event-stream.ts';
import { defineRoute, type Route } from '../route.ts';

const LIST_LIMIT = 500;
const ById = z.object({ conversation_id: ConversationId });
const EventsQuery = z.strictObject({ after: z.string().max(200).optional() });

const list = defineRoute({
  method: 'get',
  path: '/conversations',
  summary: 'Conversations of the project, newest first',
  access: 'signed_in',
  answer: { status: 200, schema: ConversationList, description: 'The newest 500, hidden ones included' },
  handle: async (gateway, { project }) => ({
    conversations: await gateway.reads.conversations.list(project, LIST_LIMIT),
  }),
});

const create = defineRoute({
  method: 'post',
  path: '/conversations',
  summary: 'Begin a conversation',
  access: 'signed_in',
  body: CreateConversation,
  answer: { status: 201, schema: ConversationCreated, description: 'It is stored' },
  handle: async (gateway, { project, body }) => {
    const conversationId = body.conversation_id ?? `cnv_${gateway.randomness.id()}`;
    await createConversation(gateway, { project, conversationId }, body.title);
    return { conversation_id: conversationId };
  },
});

const get = defineRoute({
  method: 'get',
  path: '/conversations/:conversation_id',
  summary: 'A conversation with its messages',
  access: 'signed_in',
  params: ById,
  answer: { status: 200, schema: ConversationDetail, description: 'As of `conversation_seq`' },
  handle: async (gateway, { project, params }) =>
    (await readConversation(gateway, project, params.conversation_id)) ??
    fail('resource.not_found', 'there is no such conversation'),
});

const change = defineRoute({
  method: 'patch',
  path: '/conversations/:conversation_id',
  summary: 'Rename, hide or show a conversation; hiding stops nothing',
  access: 'signed_in',
  params: ById,
  body: ChangeConversation,
  answer: { status: 200, schema: ConversationView, description: 'As changed' },
  handle: async (gateway, { project, params, body }) => {
    const target = { project, conversationId: params.conversation_id };
    await requireConversation(gateway, target);
    await changeConversation(gateway, target, body);
    return requireConversation(gateway, target);
  },
});

const events = defineRoute({
  method: 'get',
  path: '/conversations/:conversation_id/events',
  summary: 'Events of a conversation (SSE)',
  access: 'signed_in',
  params: ById,
  query: EventsQuery,
  requestHeaders: [
    { name: 'Last-Event-ID', isRequired: false, what: '`<conversation_id>:<seq>` of the last event seen' },
  ],
  answer: { status: 200, mediaType: 'text/event-stream', description: 'id `<conversation_id>:<seq>`; 410 when ahead' },
  handle: async (gateway, { project, params, query, ctx }) => {
    const id = params.conversation_id;
    await requireConversation(gateway, { project, conversationId: id });
    const source = { project, kind: 'conversation' as const, id, present: presentStreamData };
    return answerEventStream(gateway, ctx, source, query.after);
  },
});

export const conversationRoutes: readonly Route[] = [list, create, get, change, events];
