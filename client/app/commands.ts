import type { ChatMode } from '#contracts/research/task-spec.ts';
import { titleOf } from '../chat/composer-model.ts';
import type { Api, TaskCommandName } from '../data/api.ts';
import { NEW_CONVERSATION_PLACE, type Drafts } from '../data/drafts.ts';
import { newClientMessageId, newConversationId, newRequestId } from '../data/ids.ts';
import { createPendingCommands, type Outcome, type PendingCommand } from '../data/pending-commands.ts';
import { toProblem } from '../data/problem.ts';
import type { AppStore } from '../data/store.ts';
import type { Feed } from './feed.ts';

/** What people can ask for. Everything is kept until the server has stored it. */
export type Commands = {
  /** Returns the conversation the message belongs to, which is new when none was given. */
  sendMessage(message: { conversationId: string | null; text: string; mode: ChatMode }): string;
  commandTask(taskId: string, command: TaskCommandName, body?: Readonly<Record<string, unknown>>): void;
  flush(): void;
};

type CommandDeps = { api: Api; store: AppStore; drafts: Drafts; feed: Feed; storage: Storage };

export const commandKey = (taskId: string, command: TaskCommandName): string => `${taskId}/${command}`;

export function createCommands({ api, store, drafts, feed, storage }: CommandDeps): Commands {
  function settled(command: PendingCommand, outcome: Outcome): void {
    if (command.kind === 'task') {
      const state = outcome.ok
        ? ({ state: 'accepted' } as const)
        : ({ state: 'refused', problem: outcome.problem } as const);
      store.trigger.commandSettled({ key: commandKey(command.taskId, command.command), outcome: state });
      return;
    }
    feed.messageSettled(command.conversationId);
    if (outcome.ok) void feed.loadConversations();
    else {
      drafts.giveBack(command.conversationId, command.text);
      store.trigger.messageReturned({ place: command.conversationId, problem: outcome.problem });
    }
  }

  const pending = createPendingCommands({
    storage,
    send: (command) => deliver(api, command),
    settled,
    changed: (waiting) => store.trigger.pendingChanged({ pending: waiting }),
    after: (delayMs, run) => void setTimeout(run, delayMs),
    random: Math.random,
  });
  store.trigger.pendingChanged({ pending: pending.list() });

  return {
    sendMessage({ conversationId, text, mode }) {
      const id = newClientMessageId();
      const target = conversationId ?? newConversationId();
      drafts.take(conversationId ?? NEW_CONVERSATION_PLACE, id, text);
      store.trigger.returnedSeen({ place: target });
      // A conversation that the server never acknowledged is created (again, with the same id) before its message.
      const known = store.getSnapshot().context.replica.conversations[target] !== undefined;
      const title = known ? null : titleOf(text);
      pending.add({ kind: 'message', id, conversationId: target, title, text, mode, madeMs: Date.now() });
      return target;
    },
    commandTask(taskId, command, body = {}) {
      pending.add({ kind: 'task', id: newRequestId(), taskId, command, body, madeMs: Date.now() });
    },
    flush: pending.flush,
  };
}

async function deliver(api: Api, command: PendingCommand): Promise<void> {
  if (command.kind === 'task') {
    await api.commandTask(command.taskId, command.command, { ...command.body, request_id: command.id });
    return;
  }
  if (command.title !== null) await createOnce(api, command.conversationId, command.title);
  const mode = command.mode as ChatMode;
  await api.postMessage(command.conversationId, { client_message_id: command.id, text: command.text, mode });
}

/** The id is ours: when the server already has it, an earlier attempt arrived. */
async function createOnce(api: Api, id: string, title: string): Promise<void> {
  try {
    await api.createConversation(id, title);
  } catch (thrown) {
    if (toProblem(thrown).status !== 409) throw thrown;
  }
}
