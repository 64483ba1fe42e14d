import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const WorkItemEntity = defineEntity({
  name: 'WorkItem',
  tableName: 'work_item',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    taskId: p.text(),
    runId: p.text().nullable(),
    kind: p.text(),
    status: p.text(),
    startedMs: p.bigint('number').nullable(),
    endedMs: p.bigint('number').nullable(),
    view: p.json<Json>().columnType('json'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [{ name: 'work_item_task_index', properties: ['project', 'taskId'] }],
});
