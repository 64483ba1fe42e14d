import { afterEach } from 'vitest';
import { createPostgresLibraryStore } from '#persistence/stores/library-store.ts';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { libraryStoreSuite } from '#tests/support/suites/library-store-suite.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

libraryStoreSuite('in PostgreSQL', async () => {
  const database = await createTestDatabase();
  const store = createPostgresLibraryStore(database.connection);
  opened.push(async () => {
    await store.close();
    await database.drop();
  });
  return store;
});
