import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const RoleRunEntity = defineEntity({
  name: 'RoleRun',
  tableName: 'role_run',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    taskId: p.text(),
    role: p.text(),
    status: p.text(),
    record: p.json<Json>().columnType('json'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [{ name: 'role_run_task_index', properties: ['project', 'taskId'] }],
});
