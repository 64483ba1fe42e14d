import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const OperationEntity = defineEntity({
  name: 'Operation',
  tableName: 'operation',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    actor: p.text(),
    requestId: p.text(),
    status: p.text(),
    result: p.json<Json>().columnType('json').nullable(),
    problem: p.json<Json>().columnType('json').nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
