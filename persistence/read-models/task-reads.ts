import type { TaskReads } from '#contracts/ports/reads.ts';
import { selectDocuments, selectFirst, type DomainRows } from './domain-rows.ts';

export function taskReads(rows: DomainRows): TaskReads {
  return {
    list: (project, { status, conversationId, limit }) =>
      selectDocuments(rows, project, {
        table: 'task',
        document: 'view',
        where: {
          ...(status === undefined ? {} : { status }),
          ...(conversationId === undefined ? {} : { conversation_id: conversationId }),
        },
        order: ['-created_at', '-id'],
        limit,
      }),
    find: (project, id) => selectFirst(rows, project, { table: 'task', document: 'view', where: { id }, order: [] }),
  };
}
