/** Where the database is: a URL, or the folder of a unix socket as `host`. Passed to `pg` and to MikroORM. */
export type DatabaseConnection =
  | { readonly connectionString: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
      readonly password?: string;
    };

export function describeConnection(connection: DatabaseConnection): string {
  if (!('connectionString' in connection)) return `${connection.host}:${connection.port}/${connection.database}`;
  try {
    const url = new URL(connection.connectionString);
    return `${url.host}${url.pathname}`;
  } catch {
    return 'the configured database';
  }
}
