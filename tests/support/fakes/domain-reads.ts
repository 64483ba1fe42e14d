import { ConversationView, MessageView } from '#contracts/actors/conversation.ts';
import { TaskView } from '#contracts/actors/task.ts';
import type { Json } from '#contracts/json.ts';
import type { ConversationReads, OperationReads, TaskReads } from '#contracts/ports/reads.ts';
import { OperationView } from '#contracts/http/tasks.ts';
import type { MemoryActorStore } from '#persistence/memory/actor-store.ts';

type Row = { readonly [column: string]: Json };

/** Reads over the domain rows that real actors wrote into the in-memory store; every view is checked against its schema. */
export function readsOfStore(store: MemoryActorStore) {
  const rows = (table: string, project: string): Row[] =>
    [...(store.tables.domain.get(table)?.values() ?? [])].filter(
      (row) => row['project'] === undefined || row['project'] === project,
    );
  const byId = (table: string, project: string, id: string) => rows(table, project).find((row) => row['id'] === id);

  const conversations: ConversationReads = {
    list: async (project) => rows('conversation', project).map((row) => ConversationView.parse(row['view'])),
    find: async (project, id) => {
      const row = byId('conversation', project, id);
      return row === undefined ? null : ConversationView.parse(row['view']);
    },
    messages: async (project, id) =>
      rows('message', project)
        .filter((row) => row['conversation_id'] === id)
        .toSorted((a, b) => Number(a['seq']) - Number(b['seq']))
        .map((row) => MessageView.parse(row['view'])),
  };
  const tasks: TaskReads = {
    list: async (project) => rows('task', project).map((row) => TaskView.parse(row['view'])),
    find: async (project, id) => {
      const row = byId('task', project, id);
      return row === undefined ? null : TaskView.parse(row['view']);
    },
  };
  const operations: OperationReads = {
    find: async (project, id) => {
      const row = byId('operation', project, id);
      if (row === undefined) return null;
      const { status, result, problem } = row;
      return OperationView.parse({ operation_id: id, status, result, ...(problem === null ? {} : { problem }) });
    },
  };
  return { conversations, tasks, operations };
}
