// An installation of several processes: web, workers, browsers over one database and one wire.
//
// Owns:     the data folder, the database server, the NATS server and every process.
// Owns not: what is asked of them.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type RunningPostgres } from '#runtime/main/postgres/supervisor.ts';
import { freePort, startNatsServer, type NatsServer } from './nats-server.ts';
import { ProductProcess } from './product-process.ts';

export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), 'yunsou-roles-'));
  readonly processes: ProductProcess[] = [];
  #postgres: RunningPostgres | null = null;
  #postgresPort = 0;
  nats: NatsServer | null = null;

  /** `false`: the program nats-server is not installed, and nothing was started. */
  async open(): Promise<boolean> {
    chmodSync(this.folder, 0o755);
    this.nats = await startNatsServer();
    if (this.nats === null) return false;
    this.#postgresPort = await freePort();
    await this.startDatabase();
    return true;
  }

  get databaseUrl(): string {
    return `postgres://app@127.0.0.1:${this.#postgresPort}/postgres`;
  }

  async startDatabase(): Promise<void> {
    // By default the server that comes along answers on its private socket alone.
    const rules = join(this.folder, 'hba.conf');
    writeFileSync(rules, 'local all all trust\nhost all all 127.0.0.1/32 trust\n', { mode: 0o644 });
    const settings = ['listen_addresses=127.0.0.1', `port=${this.#postgresPort}`, `hba_file=${rules}`];
    this.#postgres = await startPostgres({ dataDir: join(this.folder, 'pg'), durable: true, settings });
  }

  async stopDatabase(): Promise<void> {
    await this.#postgres?.stop();
    this.#postgres = null;
  }

  /** On the port that every process knows. */
  async restartNats(): Promise<void> {
    this.nats = await startNatsServer(this.nats?.port);
  }

  /** Not started yet. */
  process(role: string, environment: Readonly<Record<string, string>> = {}): ProductProcess {
    const common = { DATABASE_URL: this.databaseUrl, NATS_URL: this.nats?.url ?? '', YUNSOU_ROLE: role };
    const product = new ProductProcess({ ...common, ...environment }, join(this.folder, 'data'));
    this.processes.push(product);
    return product;
  }

  async start(role: string, environment: Readonly<Record<string, string>> = {}): Promise<ProductProcess> {
    const product = this.process(role, environment);
    await product.start();
    return product;
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((product) => product.stop()));
    await this.stopDatabase();
    await this.nats?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
