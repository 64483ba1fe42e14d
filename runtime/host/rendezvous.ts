import { hash32 } from '#contracts/hash.ts';
import type { LiveWorker } from '#contracts/ports/actor-store.ts';
import { poolOfShard, SHARD_COUNT } from '#contracts/shards.ts';

/** The shards that fall to `workerId` among the live workers. Every worker computes the same answer alone. */
export function shardsOf(workerId: string, liveWorkers: readonly LiveWorker[]): number[] {
  const shards: number[] = [];
  for (let shard = 0; shard < SHARD_COUNT; shard++) {
    if (ownerOf(shard, liveWorkers) === workerId) shards.push(shard);
  }
  return shards;
}

/** `null`: nobody serves the pool of the shard. */
export function ownerOf(shard: number, liveWorkers: readonly LiveWorker[]): string | null {
  const pool = poolOfShard(shard);
  let owner: string | null = null;
  let best = -1;
  for (const { id, pools } of liveWorkers) {
    if (!pools.includes(pool)) continue;
    const weight = hash32(`${id}#${shard}`);
    if (weight > best || (weight === best && owner !== null && id < owner)) {
      best = weight;
      owner = id;
    }
  }
  return owner;
}
