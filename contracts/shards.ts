/** Fixed number of shards; the shard of an actor is stored on its row. */
export const SHARD_COUNT = 256;
