import type { MessageView } from '#contracts/actors/conversation.ts';
import type { PendingCommand, PendingMessage } from '../data/pending-commands.ts';

/** One entry of the thread: a stored message, or one that is on its way. */
export type ThreadItem =
  | { readonly key: string; readonly kind: 'stored'; readonly message: MessageView }
  | { readonly key: string; readonly kind: 'pending'; readonly pending: PendingMessage };

/** The key of a message is its client id where it has one, so that storing it does not rebuild it on the screen. */
export function threadOf(
  conversationId: string,
  messages: readonly MessageView[],
  pending: readonly PendingCommand[],
): readonly ThreadItem[] {
  const stored = messages.map((message): ThreadItem => ({
    key: message.client_message_id ?? message.message_id,
    kind: 'stored',
    message,
  }));
  const known = new Set(stored.map((item) => item.key));
  const waiting = pending
    .filter((one): one is PendingMessage => one.kind === 'message' && one.conversationId === conversationId)
    .filter((one) => !known.has(one.id))
    .toSorted((a, b) => a.madeMs - b.madeMs)
    .map((one): ThreadItem => ({ key: one.id, kind: 'pending', pending: one }));
  return [...stored, ...waiting];
}

export function lastQuestionOf(messages: readonly MessageView[]): string {
  return messages.findLast((message) => message.author === 'user')?.text ?? '';
}
