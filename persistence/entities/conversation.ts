import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const ConversationEntity = defineEntity({
  name: 'Conversation',
  tableName: 'conversation',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    title: p.text(),
    hidden: p.boolean(),
    view: p.json<Json>().columnType('json'),
    updatedAt: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [
    {
      name: 'conversation_recent_index',
      expression: 'create index conversation_recent_index on conversation (project, updated_at desc)',
    },
  ],
});
