import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const EvidenceEntity = defineEntity({
  name: 'Evidence',
  tableName: 'evidence',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    taskId: p.text(),
    sourceRevisionId: p.text(),
    evidence: p.json<Json>().columnType('json'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [
    { name: 'evidence_task_index', properties: ['project', 'taskId'] },
    { name: 'evidence_source_index', properties: ['project', 'sourceRevisionId'] },
  ],
});
