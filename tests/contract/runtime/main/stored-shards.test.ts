import { describe, expect, it } from 'vitest';
import { hash32 } from '#contracts/hash.ts';
import { checkStoredShards } from '#runtime/main/stored-shards.ts';
import { createHarness } from '#tests/support/harness/harness.ts';
import { jobActor, pageActor } from '#tests/support/harness/sample-actors.ts';

const KINDS = [jobActor, pageActor];
/** As a version with another hash would place them. */
const otherHash = (project: string, address: string) => hash32(`${address}@${project}`) % 224;

describe('the look at stored shards before a start', () => {
  it('[LS-06] actors that lie where this version looks for them are accepted, of every pool', async () => {
    const harness = createHarness({ actors: KINDS });
    await harness.start();
    for (const kind of ['job', 'page']) await harness.create(`${kind}/a`, { name: 'a' });
    await checkStoredShards(harness.store, ['p'], KINDS);
  });

  it('[LS-06] after a change of the hash, or of the pool of a kind, it is refused in one sentence with the actor', async () => {
    const harness = createHarness({ actors: KINDS });
    await harness.start();
    await harness.create('page/a', { name: 'a' });
    const refusal = { failure: { code: 'config.invalid' } };
    await expect(checkStoredShards(harness.store, ['p'], KINDS, otherHash)).rejects.toMatchObject(refusal);
    const moved = [jobActor, { ...pageActor, pool: 'main' as const }];
    await expect(checkStoredShards(harness.store, ['p'], moved)).rejects.toThrow(/page\/a lies in shard 2\d\d/);
  });
});
