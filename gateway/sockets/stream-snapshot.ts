import type { StreamEventMessage } from '#contracts/sockets/protocol.ts';
import type { GatewayDependencies } from '../dependencies.ts';
import { presentTask, readConversation } from '../presenters/snapshot.ts';

type State = StreamEventMessage['data'];

/** The present state behind a stream and the number of the last event it contains. */
export async function readSnapshot(
  gateway: GatewayDependencies,
  project: string,
  stream: string,
): Promise<{ readonly state: State; readonly seq: number } | null> {
  const [kind, id = ''] = stream.split(':');
  if (kind === 'task') {
    const task = await gateway.reads.tasks.find(project, id);
    return task === null ? null : { state: presentTask(task) as unknown as State, seq: Number(task.event_seq) };
  }
  const conversation = await readConversation(gateway, project, id);
  if (conversation === null) return null;
  return { state: conversation as unknown as State, seq: Number(conversation.conversation_seq) };
}
