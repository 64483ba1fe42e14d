import { createReadModels } from '#persistence/read-models/read-models.ts';
import { createPostgresActorStore } from '#persistence/stores/actor-store.ts';
import { createPostgresDomainRows } from '#persistence/stores/domain-rows.ts';
import { createTestDatabase, onEveryServer } from '#tests/support/postgres/test-database.ts';
import { registerReadModelsSuite } from '#tests/support/suites/read-models-suite.ts';
import { entryOf } from '#tests/support/suites/store-builders.ts';

onEveryServer('RM1', (server) =>
  registerReadModelsSuite(server.name, async () => {
    const { connection, drop } = await createTestDatabase({ server });
    const store = createPostgresActorStore({ connection });
    const rows = createPostgresDomainRows(connection);
    const [lease] = await store.acquireShards('writer', [0], 0);
    let seq = 0;
    return {
      reads: createReadModels(rows),
      async commit(project, writes) {
        seq += 1;
        await store.commit('writer', 'c', [
          entryOf({ project, address: `writer/w${seq}`, epoch: lease?.epoch ?? 0, writes }),
        ]);
      },
      async close() {
        await rows.close();
        await store.close();
        await drop();
      },
    };
  }),
);
