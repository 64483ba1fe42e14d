import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const MessageEntity = defineEntity({
  name: 'Message',
  tableName: 'message',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    conversationId: p.text(),
    seq: p.bigint('number'),
    author: p.text(),
    clientMessageId: p.text().nullable(),
    taskId: p.text().nullable(),
    view: p.json<Json>().columnType('json'),
    updatedAt: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [{ name: 'message_order_index', properties: ['project', 'conversationId', 'seq'] }],
  uniques: [{ name: 'message_client_unique', properties: ['project', 'conversationId', 'clientMessageId'] }],
});
