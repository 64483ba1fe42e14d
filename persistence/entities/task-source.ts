import { defineEntity, p } from '@mikro-orm/core';

export const TaskSourceEntity = defineEntity({
  name: 'TaskSource',
  tableName: 'task_source',
  properties: {
    project: p.text().primary(),
    taskId: p.text().primary(),
    sourceRevisionId: p.text().primary(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
