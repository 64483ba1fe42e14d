import pg from 'pg';
import { createPostgresActorStore } from '#persistence/stores/actor-store.ts';
import { createTestDatabase, onEveryServer } from '#tests/support/postgres/test-database.ts';
import { registerActorStoreSuite } from '#tests/support/suites/actor-store-suite.ts';

onEveryServer('AS1', (server) =>
  registerActorStoreSuite(server.name, async () => {
    const database = await createTestDatabase({ server });
    const store = createPostgresActorStore({ connection: database.connection });
    const reader = new pg.Client(database.connection);
    await reader.connect();
    return {
      store,
      async readRows(table, project) {
        return (await reader.query<Record<string, unknown>>(`select * from "${table}" where project = $1`, [project]))
          .rows;
      },
      async readSetAside(kind, project) {
        const text = `select message_id as "messageId", reason from ${kind} where project = $1 order by id`;
        return (await reader.query<{ messageId: string; reason: string }>(text, [project])).rows;
      },
      async close() {
        await reader.end();
        await store.close();
        await database.drop();
      },
    };
  }),
);
