import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const StreamEventEntity = defineEntity({
  name: 'StreamEvent',
  tableName: 'stream_event',
  properties: {
    project: p.text().primary(),
    stream: p.text().primary(),
    seq: p.bigint('number').primary(),
    type: p.text(),
    data: p.json<Json>().columnType('json'),
    at: p.datetime().defaultRaw('now()'),
  },
  indexes: [
    {
      name: 'stream_event_time_index',
      expression:
        'create index stream_event_time_index on stream_event using brin (at) with (pages_per_range = 16, autosummarize = on)',
    },
  ],
});
