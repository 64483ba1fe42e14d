import { MikroORM } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import type { DatabaseConnection } from './connection.ts';
import { entities } from './entities/entities.ts';
import { migrations } from './migrations/migrations.ts';

/** Close it with `orm.close(true)`. Nothing connects before the first query. */
export function openOrm(connection: DatabaseConnection, poolMax = 3): Promise<MikroORM<PostgreSqlDriver>> {
  return MikroORM.init<PostgreSqlDriver>({
    driver: PostgreSqlDriver,
    ...where(connection),
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, tableName: 'schema_migration', silent: true },
    pool: { min: 0, max: poolMax },
    connect: false,
    discovery: { warnWhenNoEntities: false },
    logger: () => undefined,
  });
}

function where(connection: DatabaseConnection): object {
  if ('connectionString' in connection) return { clientUrl: connection.connectionString };
  const { host, port, user, database, password } = connection;
  return { host, port, user, password: password ?? '', dbName: database };
}
