import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const DeadLetterEntity = defineEntity({
  name: 'DeadLetter',
  tableName: 'dead_letter',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    project: p.text(),
    address: p.text(),
    messageId: p.text(),
    envelope: p.json<Json>().columnType('json'),
    reason: p.text(),
    commitId: p.text(),
    at: p.datetime().defaultRaw('now()'),
  },
  indexes: [
    { name: 'dead_letter_receiver_index', properties: ['project', 'address'] },
    { name: 'dead_letter_order_index', properties: ['project', 'id'] },
  ],
});
