import { SHARD_COUNT } from '#contracts/shards.ts';
import { hash32 } from './hash.ts';

/** The shard of an actor. Stored on its row, so a changed function must refuse to start, not move actors silently. */
export function shardOf(project: string, address: string): number {
  return hash32(`${project}/${address}`) % SHARD_COUNT;
}
