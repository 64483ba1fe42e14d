import type { ConversationView, MessageView } from '#contracts/actors/conversation.ts';
import type { FakeActor, FakeBehaviour, Turn } from './actor-world.ts';

type Incoming = Record<string, unknown> & { type: string };

/** Keeps messages and revisions as CH-03 to CH-05 say; answers nobody. */
export const conversationBehaviour: FakeBehaviour = {
  create(actor, input) {
    const { created_time } = input as { created_time: string };
    actor.state = { title: '', created_time, updated_time: created_time, hidden: false, messages: [] };
    actor.publish('conversation.created', { conversation_id: actor.id });
  },
  receive(actor, event) {
    switch (event.type) {
      case 'conversation.message.post':
        return post(actor, event);
      case 'conversation.message.revise':
        return revise(actor, event);
      case 'conversation.rename':
        actor.state['title'] = event['title'];
        actor.publish('conversation.renamed', { title: event['title'] });
        return { outcome: 'handled' };
      case 'conversation.hide':
        actor.state['hidden'] = event['hidden'];
        actor.publish('conversation.hidden', { hidden: event['hidden'] });
        return { outcome: 'handled' };
      default:
        return { outcome: 'forbidden' };
    }
  },
};

export const messagesOf = (actor: FakeActor): MessageView[] => actor.state['messages'] as MessageView[];

export function conversationView(actor: FakeActor): ConversationView {
  const { title, created_time, updated_time, hidden } = actor.state as unknown as ConversationView;
  const conversation_seq = String(actor.eventSeq);
  return { conversation_id: actor.id, title, created_time, updated_time, conversation_seq, hidden };
}

function post(actor: FakeActor, event: Incoming): Turn {
  const message: MessageView = {
    message_id: String(event['message_id']),
    message_revision_id: String(event['message_revision_id']),
    revision: 1,
    author: 'user',
    turn_id: String(event['turn_id']),
    conversation_seq: String(actor.eventSeq + 1),
    client_message_id: String(event['client_message_id']),
    text: String(event['text']),
    mode: event['mode'] as MessageView['mode'],
    parts: [],
    task_id: null,
    created_time: String(event['time']),
    edited: false,
  };
  messagesOf(actor).push(message);
  actor.publish('message.posted', { message });
  return { outcome: 'handled', reply: stored(actor, message) };
}

function revise(actor: FakeActor, event: Incoming): Turn {
  const messages = messagesOf(actor);
  const index = messages.findIndex((message) => message.message_id === event['message_id']);
  const old = messages[index];
  if (old === undefined || old.message_revision_id !== event['base_revision_id']) return { outcome: 'ignored' };
  const message: MessageView = {
    ...old,
    message_revision_id: String(event['message_revision_id']),
    revision: old.revision + 1,
    text: String(event['text']),
    edited: true,
  };
  messages[index] = message;
  actor.publish('message.changed', { message });
  return { outcome: 'handled', reply: stored(actor, message) };
}

function stored(actor: FakeActor, message: MessageView) {
  const { message_id, message_revision_id, turn_id } = message;
  return { message_id, message_revision_id, turn_id, conversation_seq: String(actor.eventSeq) };
}
