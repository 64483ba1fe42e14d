import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { createPostgresViewerStore, type PostgresViewerStore } from '#persistence/stores/viewer-store.ts';
import { createTestDatabase, onEveryServer, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { viewerStoreSuite } from '#tests/support/suites/viewer-store-suite.ts';

let database: TestDatabase;
let store: PostgresViewerStore;
let client: pg.Client;

onEveryServer('VP5', (server) =>
  describe(server.name, () => {
    beforeAll(async () => {
      database = await createTestDatabase({ server });
      store = createPostgresViewerStore(database.connection);
      client = new pg.Client(database.connection);
      await client.connect();
    });
    afterAll(async () => {
      await client.end();
      await store.close();
      await database.drop();
    });
    viewerStoreSuite(`in ${server.name}`, async () => {
      await client.query('truncate viewer_session, viewer_frame, viewer_ticket');
      return store;
    });
  }),
);
