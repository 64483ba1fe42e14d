import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const AnswerEntity = defineEntity({
  name: 'Answer',
  tableName: 'answer',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    answer: p.json<Json>().columnType('json'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
