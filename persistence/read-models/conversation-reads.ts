import type { ConversationReads } from '#contracts/ports/reads.ts';
import { MANY, selectDocuments, selectFirst, type DomainRows } from './domain-rows.ts';

export function conversationReads(rows: DomainRows): ConversationReads {
  return {
    list: (project, limit) =>
      selectDocuments(rows, project, {
        table: 'conversation',
        document: 'view',
        where: {},
        order: ['-updated_at', '-id'],
        limit,
      }),
    find: (project, id) =>
      selectFirst(rows, project, { table: 'conversation', document: 'view', where: { id }, order: [] }),
    messages: (project, conversation_id) =>
      selectDocuments(rows, project, {
        table: 'message',
        document: 'view',
        where: { conversation_id },
        order: ['seq'],
        limit: MANY,
      }),
  };
}
