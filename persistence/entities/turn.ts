import { defineEntity, p } from '@mikro-orm/core';

export const TurnEntity = defineEntity({
  name: 'Turn',
  tableName: 'turn',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    conversationId: p.text(),
    messageId: p.text(),
    intent: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
