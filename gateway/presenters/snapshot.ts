import type { ConversationDetail } from '#contracts/http/conversations.ts';
import type { TaskDetail } from '#contracts/http/tasks.ts';
import type { TaskView } from '#contracts/actors/task.ts';
import type { GatewayDependencies } from '../dependencies.ts';

/** The view as of `event_seq`: whoever has it goes on from `snapshot_event_seq`. */
export function presentTask(task: TaskView): TaskDetail {
  return { ...task, snapshot_event_seq: task.event_seq };
}

export async function readConversation(
  gateway: GatewayDependencies,
  project: string,
  conversationId: string,
): Promise<ConversationDetail | null> {
  // The number first: a message that arrives between the two reads is seen twice, never missed.
  const conversation = await gateway.reads.conversations.find(project, conversationId);
  if (conversation === null) return null;
  return { ...conversation, messages: [...(await gateway.reads.conversations.messages(project, conversationId))] };
}
