import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const TaskEntity = defineEntity({
  name: 'Task',
  tableName: 'task',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    conversationId: p.text().nullable(),
    turnId: p.text().nullable(),
    parentTaskId: p.text().nullable(),
    status: p.text(),
    mode: p.text(),
    view: p.json<Json>().columnType('json'),
    updatedAt: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [
    { name: 'task_recent_index', expression: 'create index task_recent_index on task (project, created_at desc)' },
    {
      name: 'task_conversation_index',
      expression:
        'create index task_conversation_index on task (project, conversation_id) where conversation_id is not null',
    },
  ],
});
