import type { ActorAddress } from '#contracts/envelope.ts';
import { shardOf, type Pool } from '#contracts/shards.ts';

/** The pool of the actor at an address. A kind that nobody here knows counts as `main`. */
export type PoolOf = (address: ActorAddress) => Pool;

type Pooled = { readonly pool: Pool };

export function poolsOf(definitions: ReadonlyMap<string, Pooled>): PoolOf {
  return (address) => definitions.get(address.slice(0, address.indexOf('/')))?.pool ?? 'main';
}

export function shardIn(poolOf: PoolOf, project: string, address: ActorAddress): number {
  return shardOf(project, address, poolOf(address));
}
