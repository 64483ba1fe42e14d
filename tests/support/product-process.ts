// The product, or one role of it, as a process of its own, to be killed.
//
// Owns:     its data folder unless it shares one, the child process, every line it logged over all its lives.
// Owns not: what is asked of it (the test does that over HTTP).

import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openApi, type Api, type Target } from '#scripts/ask/api.ts';

const READY_LIMIT_MS = 120_000;

export class ProductProcess {
  readonly dataDir: string;
  readonly log: string[] = [];
  readonly #environment: Readonly<Record<string, string>>;
  readonly #ownsFolder: boolean;
  #child: ChildProcess | null = null;
  #target: Target | null = null;

  /** `dataDir`: a folder that other processes use too; it stays. */
  constructor(environment: Readonly<Record<string, string>> = {}, dataDir?: string) {
    this.#environment = environment;
    this.#ownsFolder = dataDir === undefined;
    this.dataDir = dataDir ?? mkdtempSync(join(tmpdir(), 'yunsou-product-'));
    if (dataDir === undefined) chmodSync(this.dataDir, 0o755);
  }

  get api(): Api {
    return openApi(this.#running());
  }

  /** Of the web interface, or of the probes. */
  get url(): string {
    return this.#running().url;
  }

  /** What `/ready` says. */
  async ready(): Promise<{ readonly ready: boolean } & Readonly<Record<string, { ok: boolean; detail: string }>>> {
    return (await (await fetch(`${this.url}/ready`)).json()) as never;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves with the milliseconds until it answered. */
  async start(environment: Readonly<Record<string, string>> = {}): Promise<number> {
    const startedMs = performance.now();
    const child = spawn(process.execPath, ['--import', 'tsx', 'tests/support/product-main.ts'], {
      env: {
        ...process.env,
        YUNSOU_DATA_DIR: this.dataDir,
        PORT: '0',
        LOG_LEVEL: 'debug',
        ...this.#environment,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    createInterface({ input: child.stderr }).on('line', (line) => this.log.push(line));
    this.#target = await new Promise<Target>((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error(`not ready: ${this.log.slice(-5).join('\n')}`)), READY_LIMIT_MS);
      createInterface({ input: child.stdout }).on('line', (line) => {
        clearTimeout(limit);
        resolve(JSON.parse(line) as Target);
      });
      child.once('exit', (code) => reject(new Error(`ended with ${code}: ${this.log.slice(-5).join('\n')}`)));
    });
    return performance.now() - startedMs;
  }

  /** SIGKILL: nothing is told, nothing is closed. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** SIGTERM; resolves with the exit code of the process, 0 when it did not run. */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  async remove(): Promise<void> {
    await this.stop();
    if (this.#ownsFolder) rmSync(this.dataDir, { recursive: true, force: true });
  }

  #running(): Target {
    if (this.#target === null) throw new Error('the product is not running');
    return this.#target;
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    this.#child = null;
    this.#target = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return 0;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    return await ended;
  }
}
