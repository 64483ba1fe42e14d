import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const TimerEntity = defineEntity({
  name: 'Timer',
  tableName: 'timer',
  properties: {
    project: p.text().primary(),
    address: p.text().primary(),
    timerId: p.text().primary(),
    shard: p.smallint(),
    occurrence: p.bigint('number'),
    dueAtMs: p.bigint('number'),
    event: p.json<Json>().columnType('json'),
  },
  indexes: [{ name: 'timer_due_index', properties: ['shard', 'dueAtMs'] }],
});
