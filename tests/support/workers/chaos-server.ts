import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#persistence/migrate.ts';
import { startPostgres, type PostgresConnection, type RunningPostgres } from '#runtime/main/postgres/supervisor.ts';

export type ChaosServer = {
  readonly connection: PostgresConnection;
  readonly pid: () => number;
  /** How often the server was started again after it ended by itself. */
  readonly restarts: () => number;
  remove(): Promise<void>;
};

/** A PostgreSQL of the test's own, to be killed: it waits for the disk, so that what it answered survives. */
export async function startChaosServer(settings: readonly string[] = []): Promise<ChaosServer> {
  const folder = mkdtempSync(join(tmpdir(), 'yunsou-chaos-'));
  let restarts = 0;
  const onCrash = (_lastWords: string, isRestarted: boolean): void => {
    if (isRestarted) restarts += 1;
  };
  const server: RunningPostgres = await startPostgres({
    dataDir: join(folder, 'pg'),
    durable: true,
    settings,
    onCrash,
  });
  await migrate(server.connection);
  return {
    connection: server.connection,
    pid: server.pid,
    restarts: () => restarts,
    async remove() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
