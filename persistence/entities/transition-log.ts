import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const TransitionLogEntity = defineEntity({
  name: 'TransitionLog',
  tableName: 'transition_log',
  properties: {
    project: p.text().primary(),
    address: p.text().primary(),
    seq: p.bigint('number').primary(),
    position: p.integer().primary(),
    messageId: p.text(),
    isOutside: p.boolean(),
    eventSeq: p.bigint('number'),
    sender: p.text(),
    eventType: p.text(),
    payloadHash: p.text(),
    outcome: p.text(),
    stateBefore: p.json<Json>().columnType('json'),
    stateAfter: p.json<Json>().columnType('json'),
    detail: p.json<Json>().columnType('json'),
    reply: p.json<Json>().columnType('json'),
    durationMicros: p.integer(),
    defHash: p.text(),
    commitId: p.text(),
    at: p.datetime().defaultRaw('now()'),
  },
  indexes: [
    {
      name: 'transition_log_outside_unique',
      expression:
        'create unique index transition_log_outside_unique on transition_log (message_id, address, project) where is_outside',
    },
    {
      name: 'transition_log_time_index',
      expression:
        'create index transition_log_time_index on transition_log using brin (at) with (pages_per_range = 16, autosummarize = on)',
    },
  ],
});
