import { defineEntity, p } from '@mikro-orm/core';

export const ShardLeaseEntity = defineEntity({
  name: 'ShardLease',
  tableName: 'shard_lease',
  properties: {
    shard: p.smallint().primary().autoincrement(false),
    epoch: p.bigint('number'),
    owner: p.text().nullable(),
  },
});
