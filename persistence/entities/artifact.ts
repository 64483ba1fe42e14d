import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const ArtifactEntity = defineEntity({
  name: 'Artifact',
  tableName: 'artifact',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    taskId: p.text(),
    status: p.text(),
    view: p.json<Json>().columnType('json'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [
    {
      name: 'artifact_recent_index',
      expression: 'create index artifact_recent_index on artifact (project, created_at desc)',
    },
  ],
});
