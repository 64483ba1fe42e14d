// A real worker process, to be killed, frozen, blocked and asked.
//
// Owns:     the child process and every line it logged.
// Owns not: its database, its wire, what it is asked to do.
//
//   1  Each fault resolves only when it really happened: the process is gone, is stopped, has begun to block.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  WORKER_VARIABLE,
  type Order,
  type StopPoint,
  type WorkerSettings,
  type WorkerStats,
} from './worker-settings.ts';

const MAIN = fileURLToPath(new URL('worker-main.ts', import.meta.url));
const LIMIT_MS = 60_000;

export type LogLine = { readonly msg: string; readonly [field: string]: unknown };

export class Worker {
  readonly id: string;
  readonly log: LogLine[] = [];
  /** Lines that are no log: what a dying process said. */
  readonly lastWords: string[] = [];
  readonly #child: ChildProcess;
  readonly #started: Promise<void>;
  readonly #waiting = new Map<number, (stats: WorkerStats) => void>();
  #orders = 0;

  constructor(settings: WorkerSettings, nodeOptions: readonly string[] = []) {
    this.id = settings.workerId;
    this.#child = spawn(process.execPath, [...nodeOptions, '--import', 'tsx', MAIN], {
      // the name under which its connections are found in pg_stat_activity
      env: { ...process.env, [WORKER_VARIABLE]: JSON.stringify(settings), PGAPPNAME: settings.workerId },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const { stdout, stderr } = this.#child;
    if (stdout !== null) createInterface({ input: stdout }).on('line', (line) => this.#read(line));
    if (stderr !== null) createInterface({ input: stderr }).on('line', (line) => this.lastWords.push(line));
    this.#started = new Promise((resolve, reject) => {
      this.#child.on('message', (message: 'started' | { id: number; stats: WorkerStats }) => {
        if (message === 'started') resolve();
        else this.#waiting.get(message.id)?.(message.stats);
      });
      this.#child.once('exit', (code) => reject(new Error(`${this.id} ended: ${code} ${this.lastWords.join('\n')}`)));
    });
    this.#started.catch(() => undefined);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isGone(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** When its host has started. */
  started(): Promise<void> {
    return this.#started;
  }

  logged(message: string): LogLine[] {
    return this.log.filter(({ msg }) => msg === message);
  }

  stats(): Promise<WorkerStats> {
    return this.#order({ verb: 'stats' });
  }

  /** Resolves when nothing else runs in it any more. */
  async block(ms: number): Promise<void> {
    await this.#order({ verb: 'block', ms });
  }

  async stopAt(point: StopPoint): Promise<void> {
    await this.#order({ verb: 'stop at', point });
  }

  get isFrozen(): boolean {
    if (this.isGone) return false;
    const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  }

  async untilFrozen(): Promise<void> {
    const until = performance.now() + LIMIT_MS;
    while (!this.isFrozen) {
      if (performance.now() > until) throw new Error(`${this.id} did not stop`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async freeze(): Promise<void> {
    this.#child.kill('SIGSTOP');
    await this.untilFrozen();
  }

  thaw(): void {
    this.#child.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
    if (this.#child.signalCode !== 'SIGKILL') throw new Error(`${this.id} was not killed but ended by itself`);
  }

  /** Resolves with its exit code. */
  async stop(): Promise<number | null> {
    await this.#end('SIGTERM');
    return this.#child.exitCode;
  }

  /** At the end of a test, whatever state it is in. */
  async remove(): Promise<void> {
    if (!this.isGone) await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.isGone) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill(signal);
    await gone;
  }

  #order(order: Order): Promise<WorkerStats> {
    this.#orders += 1;
    const id = this.#orders;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${this.id} does not answer '${order.verb}'`)), LIMIT_MS);
      this.#waiting.set(id, (stats) => {
        clearTimeout(late);
        this.#waiting.delete(id);
        resolve(stats);
      });
      this.#child.send({ id, order }, (error) => {
        if (error === null) return;
        clearTimeout(late);
        reject(error);
      });
    });
  }

  #read(line: string): void {
    if (line.startsWith('{')) this.log.push(JSON.parse(line) as LogLine);
    else this.lastWords.push(line);
  }
}
