import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const ActorEntity = defineEntity({
  name: 'Actor',
  tableName: 'actor',
  properties: {
    project: p.text().primary(),
    address: p.text().primary(),
    shard: p.smallint(),
    machineVersion: p.integer(),
    defHash: p.text(),
    status: p.text(),
    seq: p.bigint('number'),
    eventSeq: p.bigint('number'),
    epoch: p.bigint('number'),
    lastCommitId: p.text(),
    snapshot: p.json<Json>().columnType('json'),
    fenceScope: p.text().nullable(),
    fenceGeneration: p.bigint('number').nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
