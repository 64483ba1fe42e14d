import { fail } from '#contracts/errors.ts';
import type { ConversationView, MessageView } from '#contracts/actors/conversation.ts';
import { MessageStored, type PostMessage } from '#contracts/http/conversations.ts';
import { CREATE_ONLY, type ActorEvent } from '#contracts/envelope.ts';
import type { ConsumedMessage } from '#contracts/ports/actor-store.ts';
import type { ActorMessage } from '#contracts/ports/actor-client.ts';
import { DEFAULT_ASK_TIMEOUT_MS, type GatewayDependencies } from '../dependencies.ts';
import { deriveId, hashOf, textHash } from '../derived-ids.ts';
import { assertHandled } from './outcome.ts';

type Conversation = { readonly project: string; readonly conversationId: string };
type Revision = { messageId: string; baseRevisionId: string; baseHash: string | undefined; text: string };

/** Creates the conversation; the same id again is the same conversation. */
export async function createConversation(gateway: GatewayDependencies, target: Conversation, title?: string) {
  const create = { input: { conversation_id: target.conversationId, created_time: nowTime(gateway) } };
  const created = await ask(gateway, target, {
    key: 'create',
    event: { type: CREATE_ONLY },
    contentHash: hashOf(['create', target.conversationId]),
    create,
  });
  // A conversation that lives already ignores it: it is there, which is all that was asked.
  if (created.outcome !== 'ignored') assertHandled(created, () => 'open');
  if (title === undefined) return;
  const named = await ask(gateway, target, { key: 'create-title', event: rename(title), contentHash: hashOf([title]) });
  assertHandled(named, () => 'open');
}

/** CH-03, CH-04: stores the message; the answer says that it is stored, never that anything ran. */
export async function postMessage(gateway: GatewayDependencies, target: Conversation, body: PostMessage) {
  const conversation = await requireConversation(gateway, target);
  const mode = body.mode ?? 'smart';
  const parts = [target.project, target.conversationId, body.client_message_id];
  const requestHash = hashOf([body.text, mode, ...(body.attachment_ids ?? [])]);
  const ids = {
    message_id: deriveId('msg', parts),
    message_revision_id: deriveId('mrv', [...parts, '1']),
    turn_id: deriveId('trn', parts),
  };
  const event = {
    type: 'conversation.message.post',
    client_message_id: body.client_message_id,
    ...ids,
    text: body.text,
    mode,
    request_hash: requestHash,
    time: nowTime(gateway),
  };
  const consumed = await ask(gateway, target, { key: body.client_message_id, event, contentHash: requestHash });
  assertHandled(consumed, () => (conversation.hidden ? 'hidden' : 'open'));
  return storedMessage(consumed, ids);
}

/** CH-05: appends a revision when `baseRevisionId` is still the latest one; throws `request.precondition_failed` otherwise. */
export async function reviseMessage(gateway: GatewayDependencies, target: Conversation, change: Revision) {
  await requireConversation(gateway, target);
  const message = await requireMessage(gateway, target, change.messageId);
  const revisionId = deriveId('mrv', [target.project, change.messageId, change.baseRevisionId, textHash(change.text)]);
  const isRepeated = message.message_revision_id === revisionId;
  if (!isRepeated) assertBase(message, change);
  const event = {
    type: 'conversation.message.revise',
    message_id: change.messageId,
    base_revision_id: change.baseRevisionId,
    message_revision_id: revisionId,
    text: change.text,
    time: nowTime(gateway),
  };
  const consumed = await ask(gateway, target, { key: revisionId, event, contentHash: hashOf([change.text]) });
  // The actor ignores a revision of a message that changed between the look above and its turn.
  if (consumed.outcome === 'ignored') assertBase(await requireMessage(gateway, target, change.messageId), change);
  assertHandled(consumed, () => 'changed');
  return storedMessage(consumed, {
    message_id: change.messageId,
    message_revision_id: revisionId,
    turn_id: message.turn_id,
  });
}

/** Renames, hides or shows; hiding stops nothing (CH-09). */
export async function changeConversation(
  gateway: GatewayDependencies,
  target: Conversation,
  change: { title?: string | undefined; hidden?: boolean | undefined },
): Promise<void> {
  const events: ActorEvent[] = [];
  if (change.title !== undefined) events.push(rename(change.title));
  if (change.hidden !== undefined) events.push(hide(change.hidden));
  if (events.length === 0) fail('request.invalid', 'expected a title or hidden, got neither');
  for (const event of events) {
    const consumed = await ask(gateway, target, { key: `change:${gateway.randomness.id()}`, event });
    assertHandled(consumed, () => 'open');
  }
}

export async function requireConversation(
  gateway: GatewayDependencies,
  target: Conversation,
): Promise<ConversationView> {
  const found = await gateway.reads.conversations.find(target.project, target.conversationId);
  return found ?? fail('resource.not_found', 'there is no such conversation');
}

async function requireMessage(gateway: GatewayDependencies, target: Conversation, id: string): Promise<MessageView> {
  const messages = await gateway.reads.conversations.messages(target.project, target.conversationId);
  return (
    messages.find((message) => message.message_id === id) ?? fail('resource.not_found', 'there is no such message')
  );
}

function assertBase(message: MessageView, change: Revision): void {
  if (message.author !== 'user') fail('request.forbidden', 'only messages of people can be edited');
  const isLatest = message.message_revision_id === change.baseRevisionId;
  const isSameText = change.baseHash === undefined || change.baseHash === textHash(message.text);
  if (isLatest && isSameText) return;
  fail('request.precondition_failed', 'the message was changed meanwhile', {
    details: { message_revision_id: message.message_revision_id },
  });
}

type Asked = { key: string; event: ActorEvent } & Pick<ActorMessage, 'contentHash' | 'create'>;

async function ask(gateway: GatewayDependencies, target: Conversation, asked: Asked): Promise<ConsumedMessage> {
  const { key, ...message } = asked;
  return gateway.client.ask(
    {
      project: target.project,
      to: `conversation/${target.conversationId}`,
      from: 'http',
      messageId: `http:${target.conversationId}:${key}`,
      ...message,
    },
    gateway.askTimeoutMs ?? DEFAULT_ASK_TIMEOUT_MS,
  );
}

/** The actor's own reply, or the ids it was given when it keeps them and says nothing. */
function storedMessage(consumed: ConsumedMessage, ids: Omit<MessageStored, 'conversation_seq'>): MessageStored {
  const replied = MessageStored.safeParse(consumed.reply);
  return replied.success ? replied.data : { ...ids, conversation_seq: String(consumed.eventSeq) };
}

const rename = (title: string) => ({ type: 'conversation.rename', title });
const hide = (hidden: boolean) => ({ type: 'conversation.hide', hidden });
const nowTime = (gateway: GatewayDependencies): string => new Date(gateway.clock.nowMs()).toISOString();
