import { defineEntity, p } from '@mikro-orm/core';

export const FenceEntity = defineEntity({
  name: 'Fence',
  tableName: 'fence',
  properties: {
    scope: p.text().primary(),
    generation: p.bigint('number'),
    open: p.boolean(),
  },
});
