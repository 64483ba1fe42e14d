import { createStore } from '@xstate/store';
import type { ConversationView } from '#contracts/actors/conversation.ts';
import type { ConversationDetail } from '#contracts/http/conversations.ts';
import type { TaskDetail } from '#contracts/http/tasks.ts';
import type { ApiProblem } from './problem.ts';
import type { PendingCommand } from './pending-commands.ts';
import { applyEvent, applyResync, EMPTY_REPLICA, putConversation, putConversations, putTask } from './replica.ts';
import type { Replica, StreamEvent } from './replica.ts';
import type { WireState } from './socket.ts';

/** A command of this tab that was stored or refused; kept while the tab lives, so that a button can say so. */
export type CommandState = { readonly state: 'accepted' } | { readonly state: 'refused'; readonly problem: ApiProblem };

export type AppState = {
  readonly replica: Replica;
  readonly wire: WireState;
  readonly pending: readonly PendingCommand[];
  /** By `taskId/command`. */
  readonly commands: Readonly<Record<string, CommandState>>;
  /** By conversation: why the last message went back into the box. */
  readonly returned: Readonly<Record<string, ApiProblem>>;
  readonly signedIn: boolean;
  readonly listLoaded: boolean;
};

const START: AppState = {
  replica: EMPTY_REPLICA,
  wire: 'connecting',
  pending: [],
  commands: {},
  returned: {},
  signedIn: true,
  listLoaded: false,
};

const withoutKey = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

export type AppStore = ReturnType<typeof createAppStore>;

export function createAppStore() {
  return createStore({
    context: START,
    on: {
      eventArrived: (state, { event }: { event: StreamEvent }) => ({
        ...state,
        replica: applyEvent(state.replica, event).replica,
      }),
      resynced: (state, { stream, snapshot, seq }: { stream: string; snapshot: unknown; seq: string }) => ({
        ...state,
        replica: applyResync(state.replica, stream, snapshot, seq),
      }),
      conversationsLoaded: (state, { views }: { views: readonly ConversationView[] }) => ({
        ...state,
        listLoaded: true,
        replica: putConversations(state.replica, views),
      }),
      conversationLoaded: (state, { detail }: { detail: ConversationDetail }) => ({
        ...state,
        replica: putConversation(state.replica, detail),
      }),
      taskLoaded: (state, { detail }: { detail: TaskDetail }) => ({
        ...state,
        replica: putTask(state.replica, detail),
      }),
      wireChanged: (state, { wire }: { wire: WireState }) => ({
        ...state,
        wire,
        signedIn: wire === 'signed_out' ? false : state.signedIn,
      }),
      pendingChanged: (state, { pending }: { pending: readonly PendingCommand[] }) => ({ ...state, pending }),
      commandSettled: (state, { key, outcome }: { key: string; outcome: CommandState }) => ({
        ...state,
        commands: { ...state.commands, [key]: outcome },
      }),
      messageReturned: (state, { place, problem }: { place: string; problem: ApiProblem }) => ({
        ...state,
        returned: { ...state.returned, [place]: problem },
      }),
      returnedSeen: (state, { place }: { place: string }) => ({
        ...state,
        returned: withoutKey(state.returned, place),
      }),
      signedInChanged: (state, { signedIn }: { signedIn: boolean }) => ({ ...state, signedIn }),
    },
  });
}
