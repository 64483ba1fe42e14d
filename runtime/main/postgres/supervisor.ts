// Supervisor of the npm-shipped PostgreSQL
//
// Runs one real server on one data folder for as long as this process lives.
// Owns:     the folder lock, the cluster, the socket folder, the server process, restarts after a crash.
// Owns not: databases inside the server, migrations, connections.
//
//   PG1  Data outlives a stop and a start; text is UTF-8 under C.UTF-8.
//   PG2  One owner a folder: a second start fails with the pid of the first.
//   PG3  The server dies with its owner, however that ends.
//   PG4  The lock of a dead owner is recognised, also when its pid was given to another process.
//   PG5  A server left over from a dead owner is stopped before ours starts.
//   PG6  A folder that cannot be written is one clear sentence.
//   PG7  The server listens on a private unix socket only; a path too long for one gets a short folder.
//   PG8  It runs as root (handing the server to another user), as a normal user, and below private folders.
//   PG9  A server that ends by itself is started again, at most RESTARTS_MAX times a minute.

import { setTimeout as sleep } from 'node:timers/promises';
import { locateBinaries, type PostgresBinaries } from './binaries.ts';
import { CURRENT_FOLDER, ensureCluster, openDataFolder, openSocketFolder } from './data-folder.ts';
import { stopOrphan } from './orphan.ts';
import { chooseServerUser, type OsUser } from './os-user.ts';
import { takeOwnerLock } from './owner-lock.ts';
import { launchServer, type ServerProcess } from './server-process.ts';
import { serverFlags } from './server-flags.ts';

const RESTARTS_MAX = 5;
const RESTART_WINDOW_MS = 60_000;
const RESTART_PAUSE_MS = 200;

export type PostgresConnection = {
  /** Folder of the unix socket; `pg` and MikroORM take it as `host`. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
};

export type PostgresOptions = {
  readonly dataDir: string;
  /** Waits for the disk at every commit. Off only for data that may be lost, such as a test's. */
  readonly durable: boolean;
  /** More settings, as `name=value`; later ones win. */
  readonly settings?: readonly string[];
  /** Told when the server ended by itself: it was started again, or (`restarted` false) given up. */
  readonly onCrash?: (lastWords: string, restarted: boolean) => void;
};

export type RunningPostgres = {
  readonly connection: PostgresConnection;
  readonly pid: () => number;
  stop(): Promise<void>;
};

/** First start creates the cluster (about a second), later starts take a fraction of that. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const folder = openDataFolder(options.dataDir);
  const release = takeOwnerLock(folder);
  try {
    const user = chooseServerUser();
    const binaries = locateBinaries(user);
    const cluster = await ensureCluster(folder, binaries, user, options.durable);
    await stopOrphan(cluster);
    const socket = openSocketFolder(folder, user);
    const supervised = new SupervisedServer({ binaries, cluster, user, socket: socket.path, options });
    try {
      await supervised.start();
    } catch (error) {
      socket.remove();
      throw error;
    }
    return {
      connection: { host: socket.path, port: 5432, user: 'app', database: 'postgres' },
      pid: () => supervised.pid,
      async stop() {
        await supervised.stop();
        socket.remove();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

type Launchable = {
  readonly binaries: PostgresBinaries;
  readonly cluster: string;
  readonly user: OsUser;
  readonly socket: string;
  readonly options: PostgresOptions;
};

class SupervisedServer {
  readonly #parts: Launchable;
  #server: ServerProcess | null = null;
  #stopping = false;
  #restarting: Promise<void> = Promise.resolve();
  #crashesAtMs: number[] = [];

  constructor(parts: Launchable) {
    this.#parts = parts;
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  async start(): Promise<void> {
    const { binaries, cluster, user, socket, options } = this.#parts;
    const settings = serverFlags({ socketFolder: socket, durable: options.durable, extra: options.settings ?? [] });
    const args = ['-D', CURRENT_FOLDER, '-p', '5432', ...settings];
    const server = await launchServer({ binary: binaries.postgres, args, cwd: cluster, user });
    this.#server = server;
    void server.ended.then((lastWords) => {
      if (!this.#stopping) this.#restarting = this.#restart(lastWords);
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#restarting;
    await this.#server?.stop();
  }

  async #restart(lastWords: string): Promise<void> {
    let words = lastWords;
    while (!this.#stopping) {
      const nowMs = Date.now();
      this.#crashesAtMs = [...this.#crashesAtMs.filter((at) => at > nowMs - RESTART_WINDOW_MS), nowMs];
      if (this.#crashesAtMs.length > RESTARTS_MAX) {
        this.#parts.options.onCrash?.(words, false);
        return;
      }
      // Backends of the dead server hold its shared memory for a moment.
      await sleep(RESTART_PAUSE_MS * this.#crashesAtMs.length);
      try {
        await stopOrphan(this.#parts.cluster);
        await this.start();
        this.#parts.options.onCrash?.(words, true);
        return;
      } catch (error) {
        words = error instanceof Error ? error.message : String(error);
      }
    }
  }
}
