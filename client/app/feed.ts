import type { Api } from '../data/api.ts';
import { isSignedOut, toProblem, type ApiProblem } from '../data/problem.ts';
import { isOver } from '../data/task-activity.ts';
import type { Wire } from '../data/socket.ts';
import type { AppStore } from '../data/store.ts';

/*
 * Brings conversations and tasks into the store and keeps them fresh.
 * Owns:     which snapshots are asked for, and when.
 * Owns not: the wire's own repetition, the folding of events.
 *   1. A snapshot first, then the stream after its cursor: nothing is missed between the two.
 *   2. What task events do not carry is asked for at most every REFRESH_MS, and once more at the end.
 */

const REFRESH_MS = 600;

export type Feed = {
  loadConversations(): Promise<void>;
  /** Watches until the returned function is called. */
  openConversation(id: string, failed: (problem: ApiProblem) => void): () => void;
  openTask(id: string): () => void;
  /** A task moved: its plan, gaps and artifacts may be newer. */
  taskMoved(id: string): void;
  /** A message was stored or refused: what the server has of the conversation can be asked for now. */
  messageSettled(id: string): void;
};

type Opened = { watching: (() => void) | null; closed: boolean; failed: (problem: ApiProblem) => void };

export function createFeed(deps: { api: Api; store: AppStore; wire: Wire }): Feed {
  const { api, store, wire } = deps;
  const opened = new Map<string, Set<Opened>>();
  const refreshing = new Map<string, ReturnType<typeof setTimeout>>();

  const signOut = (thrown: unknown): void => {
    if (isSignedOut(thrown)) store.trigger.signedInChanged({ signedIn: false });
  };

  async function load(id: string, entry: Opened): Promise<void> {
    try {
      const detail = await api.conversation(id);
      if (entry.closed) return;
      store.trigger.conversationLoaded({ detail });
      entry.watching ??= wire.watch(`conversation:${id}`);
    } catch (thrown) {
      signOut(thrown);
      if (!entry.closed) entry.failed(toProblem(thrown));
    }
  }

  /** Its first message is on its way: asking for it now would only be told that it does not exist. */
  function isBeingMade(id: string): boolean {
    const { pending, replica } = store.getSnapshot().context;
    const isKnown = replica.conversations[id] !== undefined;
    return !isKnown && pending.some((command) => command.kind === 'message' && command.conversationId === id);
  }

  async function loadTask(id: string): Promise<void> {
    try {
      store.trigger.taskLoaded({ detail: await api.task(id) });
    } catch (thrown) {
      signOut(thrown);
    }
  }

  return {
    async loadConversations() {
      try {
        store.trigger.conversationsLoaded({ views: await api.conversations() });
      } catch (thrown) {
        signOut(thrown);
      }
    },
    openConversation(id, failed) {
      const entry: Opened = { watching: null, closed: false, failed };
      opened.set(id, (opened.get(id) ?? new Set()).add(entry));
      if (!isBeingMade(id)) void load(id, entry);
      return () => {
        entry.closed = true;
        entry.watching?.();
        opened.get(id)?.delete(entry);
      };
    },
    messageSettled(id) {
      for (const entry of opened.get(id) ?? []) if (entry.watching === null) void load(id, entry);
    },
    openTask(id) {
      // The snapshot first: then the replayed events only count, and nobody sees the task's past as its present.
      let unwatch: (() => void) | null = null;
      let closed = false;
      void loadTask(id).then(() => {
        if (!closed) unwatch = wire.watch(`task:${id}`);
      });
      return () => {
        closed = true;
        unwatch?.();
      };
    },
    taskMoved(id) {
      const status = store.getSnapshot().context.replica.tasks[id]?.activity.status;
      if (status !== undefined && isOver(status)) {
        clearTimeout(refreshing.get(id));
        refreshing.delete(id);
        void loadTask(id);
      } else if (!refreshing.has(id)) {
        const timer = setTimeout(() => {
          refreshing.delete(id);
          void loadTask(id);
        }, REFRESH_MS);
        refreshing.set(id, timer);
      }
    },
  };
}
