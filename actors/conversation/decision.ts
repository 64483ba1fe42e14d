import type { ConversationEvent, ConversationView, MessageView } from '#contracts/actors/conversation.ts';
import { publish, reply, spawn, write, type Request } from '#runtime/core/requests.ts';
import type { ConversationState } from './contract.ts';

/** What one event changes and asks for; `settle` adds the conversation's own row. */
export class Decision {
  state: ConversationState;
  readonly #requests: Request[] = [];

  constructor(state: ConversationState, at: string) {
    this.state = { ...state, updated_time: at === '' ? state.updated_time : at };
  }

  set(change: Partial<ConversationState>): this {
    this.state = { ...this.state, ...change };
    return this;
  }

  publish(event: ConversationEvent): this {
    this.#requests.push(publish(event.type, event.data));
    return this.set({ event_seq: this.state.event_seq + 1 });
  }

  /** Stores a message and tells of it; its place in the conversation is the number of that event. */
  post(message: Omit<MessageView, 'conversation_seq'>): MessageView {
    const view = { ...message, conversation_seq: String(this.state.event_seq + 1) };
    this.#store(view);
    this.publish({ type: 'message.posted', data: { message: view } });
    return view;
  }

  change(view: MessageView): this {
    this.#store(view);
    return this.publish({ type: 'message.changed', data: { message: view } });
  }

  #store(view: MessageView): void {
    const { conversation_id } = this.state;
    this.write('message', {
      id: view.message_id,
      conversation_id,
      seq: Number(view.conversation_seq),
      author: view.author,
      client_message_id: view.client_message_id,
      task_id: view.task_id,
      view,
      updated_at: this.state.updated_time,
    });
    this.write('message_revision', {
      id: view.message_revision_id,
      message_id: view.message_id,
      revision: view.revision,
      text: view.text,
      mode: view.mode,
      parts: view.parts,
    });
  }

  write(table: string, row: Readonly<Record<string, unknown>>): this {
    this.#requests.push(write(table, row));
    return this;
  }

  spawn(kind: string, id: string, input: unknown): this {
    this.#requests.push(spawn(kind, id, input, { fence: null }));
    return this;
  }

  reply(data: unknown): this {
    this.#requests.push(reply(data));
    return this;
  }

  settle(): { state: ConversationState; requests: readonly Request[] } {
    const view = viewConversation(this.state);
    const row = {
      id: view.conversation_id,
      title: view.title,
      hidden: view.hidden,
      view,
      updated_at: view.updated_time,
    };
    return { state: this.state, requests: [...this.#requests, write('conversation', row)] };
  }
}

export function viewConversation(state: ConversationState): ConversationView {
  return {
    conversation_id: state.conversation_id,
    title: state.title,
    created_time: state.created_time,
    updated_time: state.updated_time,
    conversation_seq: String(state.event_seq),
    hidden: state.hidden,
  };
}
