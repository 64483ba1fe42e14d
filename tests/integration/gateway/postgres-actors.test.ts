import { createReadModels } from '#persistence/read-models/read-models.ts';
import { createPostgresActorStore } from '#persistence/stores/actor-store.ts';
import { createPostgresDomainRows } from '#persistence/stores/domain-rows.ts';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { gatewaySuite } from '#tests/support/suites/gateway-suite.ts';

gatewaySuite('in PostgreSQL', async () => {
  const database = await createTestDatabase();
  const store = createPostgresActorStore({ connection: database.connection });
  const rows = createPostgresDomainRows(database.connection);
  return {
    store,
    reads: createReadModels(rows),
    close: async () => {
      await store.close();
      await rows.close();
      await database.drop();
    },
  };
});
