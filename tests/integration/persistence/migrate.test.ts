import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlatformError } from '#contracts/errors.ts';
import { domainTables } from '#persistence/domain-tables.ts';
import { shardOf } from '#contracts/shards.ts';
import { migrate } from '#persistence/migrate.ts';
import { migrations } from '#persistence/migrations/migrations.ts';
import { openOrm } from '#persistence/orm.ts';
import { createTestDatabase, onEveryServer, type TestDatabase } from '#tests/support/postgres/test-database.ts';

let database: TestDatabase;

onEveryServer('PG10', (server) =>
  describe(`schema on ${server.name}`, () => {
    beforeAll(async () => {
      database = await createTestDatabase({ empty: true, server });
    });
    afterAll(() => database.drop());

    it('[PG10] two processes may migrate at once, and again', async () => {
      await Promise.all([migrate(database.connection), migrate(database.connection)]);
      await migrate(database.connection);
      const client = new pg.Client(database.connection);
      await client.connect();
      const { rows } = await client.query('select name from schema_migration order by name');
      await client.end();
      expect(rows).toEqual(migrations.map(({ name }) => ({ name })));
    });

    it('[PG14] rows of the rule before pools move to their new shards, whole actors with everything of theirs', async () => {
      const old = await createTestDatabase({ empty: true, server });
      const client = await fillAsBefore(old, 12_000);
      await migrate(old.connection);
      for (const table of ['actor', 'mailbox', 'timer', 'effect']) {
        const { rows } = await client.query<{ project: string; address: string; shard: number }>(
          `select project, address, shard from ${table}`,
        );
        expect(rows.length).toBeGreaterThan(5000);
        const isWrong = ({ project, address, shard }: (typeof rows)[number]) =>
          shard !== shardOf(project, address, address.startsWith('browser-context/') ? 'browser' : 'main');
        expect(rows.filter(isWrong), table).toEqual([]);
      }
      await client.end();
      await old.drop();
    }, 60_000);

    it('[PG15] the move is refused while a worker of the old rule beats, and nothing has moved then', async () => {
      const old = await createTestDatabase({ empty: true, server });
      const client = await fillAsBefore(old, 100);
      const beat = `insert into worker values ('old', clock_timestamp()) on conflict (id) do update set beat_at = clock_timestamp()`;
      await client.query(beat);
      const beats = setInterval(() => void client.query(beat), 500);
      await expect(migrate(old.connection)).rejects.toThrow(/stop every process/);
      clearInterval(beats);
      const { rows } = await client.query(`select address from actor where shard = 255`);
      expect(rows).toHaveLength(100);
      await client.end();
      await old.drop();
    }, 60_000);

    it('[PG11] the entities describe the very schema that the migrations make', async () => {
      const orm = await openOrm(database.connection);
      const difference = await orm.getSchemaGenerator().getUpdateSchemaSQL({ wrap: false });
      await orm.close(true);
      expect(difference.trim()).toBe('');
    });

    it('[PG12] the registry of writable tables names every column with its type, and the key, of its tables', async () => {
      const client = new pg.Client(database.connection);
      await client.connect();
      for (const { table, columns, key, types } of domainTables.values()) {
        const { rows } = await client.query<{ name: string; type: string }>(
          `select column_name as name, udt_name as type from information_schema.columns where table_name = $1 and column_name not in ('project', 'created_at')`,
          [table],
        );
        expect(rows.map(({ name }) => name).toSorted(), table).toEqual([...columns].toSorted());
        for (const { name, type } of rows) expect(type, `${table}.${name}`).toBe(types[name] ?? 'text');
        const found = await client.query<{ name: string }>(
          `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
          where i.indrelid = $1::regclass and i.indisprimary and a.attname <> 'project'`,
          [table],
        );
        expect(found.rows.map(({ name }) => name).toSorted(), table).toEqual([...key].toSorted());
      }
      await client.end();
    });

    it('[PG13] a database that is not there is one clear failure without the password', async () => {
      const nowhere = migrate({ connectionString: 'postgresql://app:secret@127.0.0.1:1/none' });
      await expect(nowhere).rejects.toBeInstanceOf(PlatformError);
      await expect(nowhere).rejects.toThrow(/store.unavailable.*127.0.0.1:1\/none/);
      await expect(nowhere).rejects.not.toThrow(/secret/);
    });
  }),
);

/** The schema before pools, with rows that all lie in a shard that exists in both rules and is hardly ever right. */
async function fillAsBefore({ connection }: TestDatabase, count: number): Promise<pg.Client> {
  const orm = await openOrm(connection);
  await orm.getMigrator().up({ to: '0003-library-tables' });
  await orm.close(true);
  const client = new pg.Client(connection);
  await client.connect();
  const address = `case n % 3 when 0 then 'browser-context/' else 'task/' end || n`;
  const rows = `from generate_series(1, ${count}) n`;
  await client.query(`insert into actor (project, address, shard, machine_version, def_hash, status, seq, event_seq, epoch,
    last_commit_id, snapshot) select 'p', ${address}, 255, 1, '', 'active', 1, 0, 1, '', '{}' ${rows}`);
  // mail for actors that do not exist yet moves too
  await client.query(`insert into mailbox (project, address, message_id, shard, priority, payload_hash, envelope)
    select 'p', ${address}, n, 255, 1, '', '{"from":"http"}' from generate_series(${count / 2}, ${count * 2}) n`);
  await client.query(`insert into timer (project, address, timer_id, shard, occurrence, due_at_ms, event)
    select 'p', ${address}, 't', 255, 1, 0, '{}' ${rows}`);
  await client.query(`insert into effect (project, address, effect_id, shard, invoke_id, src, class, input, state, attempt,
    not_before_ms) select 'p', ${address}, '1:0', 255, 'i', 's', 'once', '{}', 'pending', 0, 0 ${rows}`);
  return client;
}
