import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const MailboxEntity = defineEntity({
  name: 'Mailbox',
  tableName: 'mailbox',
  properties: {
    mailId: p.bigint('number').primary().autoincrement(),
    project: p.text(),
    address: p.text(),
    messageId: p.text(),
    shard: p.smallint(),
    priority: p.smallint(),
    payloadHash: p.text(),
    attempts: p.integer().default(0),
    envelope: p.json<Json>().columnType('json'),
  },
  indexes: [{ name: 'mailbox_arrival_index', properties: ['shard', 'priority', 'mailId'] }],
  uniques: [{ name: 'mailbox_message_unique', properties: ['project', 'address', 'messageId'] }],
});
