import type { DatabaseConnection } from '#persistence/connection.ts';

/** How test files reach the server of this run; plain data, because it crosses to the worker processes. */
export type TestServer = {
  /** Version and whereabouts, for titles. */
  readonly name: string;
  readonly url?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly database?: string;
  /** A migrated, empty database to copy. */
  readonly template: string;
};

/** A second server, or in a few words why there is none. */
export type OutsideServer = (TestServer & { readonly url: string }) | { readonly leftOut: string };

export function connectionOptions(server: TestServer, database?: string): DatabaseConnection {
  if (server.url !== undefined) {
    const url = new URL(server.url);
    if (database !== undefined) url.pathname = `/${database}`;
    return { connectionString: url.href };
  }
  return {
    host: server.host ?? '',
    port: server.port ?? 5432,
    user: server.user ?? 'app',
    database: database ?? server.database ?? 'postgres',
  };
}
