import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlatformError } from '#contracts/errors.ts';
import { domainTables } from '#persistence/domain-tables.ts';
import { migrate } from '#persistence/migrate.ts';
import { migrations } from '#persistence/migrations/migrations.ts';
import { openOrm } from '#persistence/orm.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
});
afterAll(() => database.drop());

describe('schema', () => {
  it('[PG10] two processes may migrate at once, and again', async () => {
    await Promise.all([migrate(database.connection), migrate(database.connection)]);
    await migrate(database.connection);
    const client = new pg.Client(database.connection);
    await client.connect();
    const { rows } = await client.query('select name from schema_migration order by name');
    await client.end();
    expect(rows).toEqual(migrations.map(({ name }) => ({ name })));
  });

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
});
