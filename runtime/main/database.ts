import { join } from 'node:path';
import type { ActorStore } from '#contracts/ports/actor-store.ts';
import type { LibraryStore } from '#contracts/ports/library-store.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import type { ViewerStore } from '#contracts/ports/viewer.ts';
import { describeConnection, type DatabaseConnection } from '#persistence/connection.ts';
import { migrate } from '#persistence/migrate.ts';
import { createReadModels, type ReadModels } from '#persistence/read-models/read-models.ts';
import { createPostgresActorStore } from '#persistence/stores/actor-store.ts';
import { createPostgresDomainRows } from '#persistence/stores/domain-rows.ts';
import { createPostgresLibraryStore } from '#persistence/stores/library-store.ts';
import { createPostgresViewerStore } from '#persistence/stores/viewer-store.ts';
import type { Config } from './config.ts';
import { startPostgres } from './postgres/supervisor.ts';
import { Stack } from './stack.ts';
import { systemRandomness } from './system-time.ts';

export type Database = {
  readonly actors: ActorStore;
  readonly library: LibraryStore;
  readonly viewer: ViewerStore;
  readonly reads: ReadModels;
  /** Stable on a supervised database, which has one owner, so that a restart owns its shards at once; random on a shared one. */
  readonly workerId: string;
  /** Asks the server; returns what to say about it, or throws `store.unavailable`. */
  probe(): Promise<string>;
  stop(): Promise<void>;
};

type Server = { readonly connection: DatabaseConnection; readonly isOwn: boolean; stop(): Promise<void> };

async function openServer(config: Config, logger: Logger): Promise<Server> {
  if (config.databaseUrl !== null) {
    return { connection: { connectionString: config.databaseUrl }, isOwn: false, stop: () => Promise.resolve() };
  }
  const server = await startPostgres({
    dataDir: join(config.dataDir, 'postgres'),
    durable: true,
    onCrash: (lastWords, restarted) => logger.error('the database server ended by itself', { lastWords, restarted }),
  });
  return { connection: server.connection, isOwn: true, stop: () => server.stop() };
}

/** PostgreSQL with the newest schema, and every store on it. */
export async function openDatabase(config: Config, logger: Logger): Promise<Database> {
  const opened = new Stack();
  try {
    const server = opened.add(await openServer(config, logger));
    await migrate(server.connection);
    const actors = createPostgresActorStore({ connection: server.connection });
    opened.add({ stop: () => actors.close() });
    const library = createPostgresLibraryStore(server.connection);
    opened.add({ stop: () => library.close() });
    const viewer = createPostgresViewerStore(server.connection);
    opened.add({ stop: () => viewer.close() });
    const rows = createPostgresDomainRows(server.connection);
    opened.add({ stop: () => rows.close() });
    return {
      actors,
      library,
      viewer,
      reads: createReadModels(rows),
      workerId: server.isOwn ? 'main' : `worker-${systemRandomness.id()}`,
      probe: async () => {
        await actors.liveWorkers(1);
        return `PostgreSQL at ${server.isOwn ? 'its own server' : describeConnection(server.connection)}`;
      },
      stop: () => opened.stopAll(),
    };
  } catch (thrown) {
    await opened.stopAll();
    throw thrown;
  }
}
