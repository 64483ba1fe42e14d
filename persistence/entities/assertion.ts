import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const AssertionEntity = defineEntity({
  name: 'Assertion',
  tableName: 'assertion',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    revision: p.integer().primary(),
    taskId: p.text(),
    assertion: p.json<Json>().columnType('json'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [{ name: 'assertion_task_index', properties: ['project', 'taskId'] }],
});
