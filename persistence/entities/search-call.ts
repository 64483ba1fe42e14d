import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const SearchCallEntity = defineEntity({
  name: 'SearchCall',
  tableName: 'search_call',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    taskId: p.text(),
    provider: p.text(),
    query: p.text(),
    status: p.text(),
    result: p.json<Json>().columnType('json').nullable(),
    startedMs: p.bigint('number'),
    endedMs: p.bigint('number').nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [{ name: 'search_call_task_index', properties: ['project', 'taskId'] }],
});
