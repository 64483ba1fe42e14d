import { hash32 } from './hash.ts';

/** Fixed number of shards; the shard of an actor is stored on its row. */
export const SHARD_COUNT = 256;

/** Kinds of actors that run together in one kind of process. Append only: stored shards depend on the ranges below. */
export const POOLS = ['main', 'browser'] as const;
export type Pool = (typeof POOLS)[number];

const RANGES: Readonly<Record<Pool, { readonly first: number; readonly count: number }>> = {
  main: { first: 0, count: 224 },
  browser: { first: 224, count: 32 },
};

/** The shard of an address. Stored, so a changed function needs a migration; a start on rows it does not fit is refused. */
export function shardOf(project: string, address: string, pool: Pool = 'main'): number {
  const { first, count } = RANGES[pool];
  return first + (hash32(`${project}/${address}`) % count);
}

export function poolOfShard(shard: number): Pool {
  return shard < RANGES.browser.first ? 'main' : 'browser';
}
