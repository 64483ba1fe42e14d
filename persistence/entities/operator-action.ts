import { defineEntity, p } from '@mikro-orm/core';

export const OperatorActionEntity = defineEntity({
  name: 'OperatorAction',
  tableName: 'operator_action',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    project: p.text(),
    requestId: p.text(),
    command: p.text(),
    address: p.text(),
    messageId: p.text(),
    letterId: p.bigint('number').nullable(),
    caller: p.text(),
    at: p.datetime().defaultRaw('now()'),
  },
  uniques: [{ name: 'operator_action_request_unique', properties: ['project', 'requestId'] }],
  indexes: [{ name: 'operator_action_order_index', properties: ['project', 'id'] }],
});
