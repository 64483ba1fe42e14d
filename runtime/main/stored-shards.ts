import { fail } from '#contracts/errors.ts';
import type { ActorStore } from '#contracts/ports/actor-store.ts';
import { shardOf, type Pool } from '#contracts/shards.ts';

const SAMPLE = 50;

type Kind = { readonly kind: string; readonly pool: Pool };

/**
 * LS-06: an actor in another shard than this version computes would live twice, there and here. Looks at some rows of
 * every kind and throws `config.invalid` at the first that does not fit.
 */
export async function checkStoredShards(
  store: Pick<ActorStore, 'listActors'>,
  projects: readonly string[],
  kinds: readonly Kind[],
  compute: typeof shardOf = shardOf,
): Promise<void> {
  for (const project of projects) {
    for (const { kind, pool } of kinds) {
      const rows = await store.listActors(project, { kind, limit: SAMPLE });
      const wrong = rows.find(({ address, shard }) => shard !== compute(project, address, pool));
      if (wrong === undefined) continue;
      const place = `${wrong.address} lies in shard ${wrong.shard}, this version looks for it in ${compute(project, wrong.address, pool)}`;
      fail('config.invalid', `this database was written by a version that places actors in other shards: ${place}`);
    }
  }
}
