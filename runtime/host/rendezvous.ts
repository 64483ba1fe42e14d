import { SHARD_COUNT } from '#contracts/shards.ts';
import { hash32 } from '#runtime/core/hash.ts';

/** The shards that fall to `workerId` among the live workers. Every worker computes the same answer alone. */
export function shardsOf(workerId: string, liveWorkers: readonly string[]): number[] {
  const shards: number[] = [];
  for (let shard = 0; shard < SHARD_COUNT; shard++) {
    if (ownerOf(shard, liveWorkers) === workerId) shards.push(shard);
  }
  return shards;
}

export function ownerOf(shard: number, liveWorkers: readonly string[]): string | null {
  let owner: string | null = null;
  let best = -1;
  for (const worker of liveWorkers) {
    const weight = hash32(`${worker}#${shard}`);
    if (weight > best || (weight === best && owner !== null && worker < owner)) {
      best = weight;
      owner = worker;
    }
  }
  return owner;
}
