import { afterEach } from 'vitest';
import { createPostgresLibraryStore } from '#persistence/stores/library-store.ts';
import { createTestDatabase, onEveryServer } from '#tests/support/postgres/test-database.ts';
import { libraryStoreSuite } from '#tests/support/suites/library-store-suite.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

onEveryServer('SE-11', (server) =>
  libraryStoreSuite(`in ${server.name}`, async () => {
    const database = await createTestDatabase({ server });
    const store = createPostgresLibraryStore(database.connection);
    opened.push(async () => {
      await store.close();
      await database.drop();
    });
    return store;
  }),
);
