import { createMemoryActorStore } from '#persistence/memory/actor-store.ts';
import { createMemoryDomainRows } from '#persistence/memory/domain-rows.ts';
import { domainTables } from '#persistence/domain-tables.ts';
import { createReadModels } from '#persistence/read-models/read-models.ts';
import { registerReadModelsSuite } from '#tests/support/suites/read-models-suite.ts';
import { entryOf } from '#tests/support/suites/store-builders.ts';

registerReadModelsSuite('in memory', async () => {
  const policyOf = (table: string) => domainTables.get(table) ?? { key: ['id'], conflict: 'replace' as const };
  const store = createMemoryActorStore({ nowMs: () => 1_000, policyOf });
  const [lease] = await store.acquireShards('writer', [0], 0);
  let seq = 0;
  return {
    reads: createReadModels(createMemoryDomainRows(store.tables.domain)),
    async commit(project, writes) {
      seq += 1;
      await store.commit('writer', 'c', [
        entryOf({ project, address: `writer/w${seq}`, epoch: lease?.epoch ?? 0, writes }),
      ]);
    },
    close: () => Promise.resolve(),
  };
});
