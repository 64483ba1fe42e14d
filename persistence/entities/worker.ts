import { defineEntity, p } from '@mikro-orm/core';

export const WorkerEntity = defineEntity({
  name: 'Worker',
  tableName: 'worker',
  properties: {
    id: p.text().primary(),
    beatAt: p.datetime(),
    pools: p.array().columnType('text[]'),
  },
});
