import * as z from 'zod';
import { fail } from '#contracts/errors.ts';
import { MessageStored, PostMessage, ReviseMessage } from '#contracts/http/conversations.ts';
import { ConversationId, MessageId } from '#contracts/ids.ts';
import { postMessage, reviseMessage } from '../../commands/conversation-commands.ts';
import { assertIdempotencyKey } from '../idempotency-key.ts';
import { defineRoute, type GatewayContext, type Route } from '../route.ts';

const post = defineRoute({
  method: 'post',
  path: '/conversations/:conversation_id/messages',
  summary: 'Store a message; the answer acknowledges storage, never execution',
  access: 'signed_in',
  params: z.object({ conversation_id: ConversationId }),
  body: PostMessage,
  requestHeaders: [{ name: 'Idempotency-Key', isRequired: false, what: 'The same value as `client_message_id`' }],
  answer: {
    status: 202,
    schema: MessageStored,
    description: 'Stored; the same id with the same content is the same message, with other content 409',
  },
  handle: async (gateway, { project, params, body, ctx }) => {
    assertIdempotencyKey(ctx, body.client_message_id);
    return postMessage(gateway, { project, conversationId: params.conversation_id }, body);
  },
});

const revise = defineRoute({
  method: 'post',
  path: '/conversations/:conversation_id/messages/:message_id/revisions',
  summary: 'Append a revision of a message',
  access: 'signed_in',
  params: z.object({ conversation_id: ConversationId, message_id: MessageId }),
  body: ReviseMessage,
  requestHeaders: [{ name: 'If-Match', isRequired: true, what: 'The revision the change was made from, quoted' }],
  answer: {
    status: 201,
    schema: MessageStored,
    description: '412 when the message changed meanwhile, 428 without If-Match',
  },
  handle: async (gateway, { project, params, body, ctx }) => {
    assertIfMatch(ctx, body.base_revision_id);
    return reviseMessage(
      gateway,
      { project, conversationId: params.conversation_id },
      {
        messageId: params.message_id,
        baseRevisionId: body.base_revision_id,
        baseHash: body.base_hash,
        text: body.text,
      },
    );
  },
});

function assertIfMatch(ctx: GatewayContext, revisionId: string): void {
  const tag = ctx.get('If-Match');
  if (tag === '') fail('request.precondition_required', 'send If-Match with the revision the change was made from');
  if (tag !== `"${revisionId}"` && tag !== revisionId) {
    fail('request.precondition_failed', `If-Match says ${JSON.stringify(tag)}, base_revision_id ${revisionId}`);
  }
}

export const messageRoutes: readonly Route[] = [post, revise];
