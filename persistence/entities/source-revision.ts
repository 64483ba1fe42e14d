import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const SourceRevisionEntity = defineEntity({
  name: 'SourceRevision',
  tableName: 'source_revision',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    taskId: p.text().nullable(),
    requestedUrl: p.text(),
    finalUrl: p.text(),
    parserVersion: p.text(),
    contentHash: p.text(),
    retrievedTime: p.text(),
    revision: p.json<Json>().columnType('json'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [
    {
      name: 'source_revision_reuse_index',
      expression: 'create index source_revision_reuse_index on source_revision using hash (requested_url)',
    },
  ],
});
