import pg from 'pg';
import { expect, it } from 'vitest';
import { createPostgresActorStore } from '#persistence/stores/actor-store.ts';
import { genericPlan, recordStatements, unboundedScans } from '#tests/support/postgres/statement-plans.ts';
import { createTestDatabase, onEveryServer } from '#tests/support/postgres/test-database.ts';
import { registerActorStoreSuite } from '#tests/support/suites/actor-store-suite.ts';

const statements = recordStatements();
/** Those that grow with the actors of an installation. */
const GROWING = new Set(['actor', 'mailbox', 'timer', 'effect', 'transition_log', 'stream_event']);
/** Those that read along a table by design: bounded by their limit, or of one page for people. */
const READS_ALONG = new Set(['mail_load_all', 'trim']);

onEveryServer('AS1', (server) => {
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
  });

  // A plan is kept: one that was made while a table was empty meets a million rows later.
  it('[AS12] a statement that is planned on empty tables finds its rows by key when they are full', async () => {
    const database = await createTestDatabase({ server });
    const client = new pg.Client(database.connection);
    await client.connect();
    // Actors are never all gone again, unlike mail, timers and effects.
    const actors = `select 'p', 'a/' || g, 1, 1, '', 'active', 1, 1, 1, '', '{}' from generate_series(1, 100) g`;
    await client.query(`insert into actor (project, address, shard, machine_version, def_hash, status, seq, event_seq, epoch,
      last_commit_id, snapshot) ${actors}`);
    await client.query('vacuum analyze');
    const unbounded: string[] = [];
    for (const { name, text } of statements.values()) {
      if (READS_ALONG.has(name)) continue;
      const scans = unboundedScans(await genericPlan(client, text), GROWING);
      unbounded.push(...scans.map((scan) => `${name}: ${scan}`));
    }
    await client.end();
    await database.drop();
    expect(statements.size).toBeGreaterThan(20);
    expect(unbounded).toEqual([]);
  });
});
