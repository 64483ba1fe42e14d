import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const MessageRevisionEntity = defineEntity({
  name: 'MessageRevision',
  tableName: 'message_revision',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    messageId: p.text(),
    revision: p.integer(),
    text: p.text(),
    mode: p.text().nullable(),
    parts: p.json<Json>().columnType('json'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [{ name: 'message_revision_message_index', properties: ['project', 'messageId', 'revision'] }],
});
