import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const MailboxEntity = defineEntity({
  name: 'Mailbox',
  tableName: 'mailbox',
  properties: {
    shard: p.smallint().primary(),
    priority: p.smallint().primary(),
    mailId: p.bigint('number').primary(),
    project: p.text(),
    address: p.text(),
    messageId: p.text(),
    isOutside: p.boolean(),
    payloadHash: p.text(),
    attempts: p.integer().default(0),
    envelope: p.json<Json>().columnType('json'),
  },
  indexes: [
    {
      name: 'mailbox_outside_unique',
      expression:
        'create unique index mailbox_outside_unique on mailbox (project, address, message_id) where is_outside',
    },
  ],
});
