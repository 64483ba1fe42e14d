import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const EffectEntity = defineEntity({
  name: 'Effect',
  tableName: 'effect',
  properties: {
    project: p.text().primary(),
    address: p.text().primary(),
    effectId: p.text().primary(),
    shard: p.smallint(),
    invokeId: p.text(),
    src: p.text(),
    class: p.text(),
    input: p.json<Json>().columnType('json'),
    state: p.text(),
    attempt: p.integer(),
    notBeforeMs: p.bigint('number'),
    dispatchedEpoch: p.bigint('number').nullable(),
    fenceScope: p.text().nullable(),
    fenceGeneration: p.bigint('number').nullable(),
  },
  indexes: [{ name: 'effect_due_index', properties: ['shard', 'state', 'notBeforeMs'] }],
});
