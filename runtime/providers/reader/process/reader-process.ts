// The reader in a process of its own.
//
// Owns:     the child process, the questions that wait for it.
// Owns not: how a page is read (reader.ts, the same code and result).
//
//   RD1  A page that hangs or kills the process fails alone; the next page gets a new process.
//   RD2  Memory of parsing is given back: the process ends after some idle time, and after many pages.
//   RD3  `stop` leaves no process behind, and the process does not outlive its owner.

import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { failure, PlatformError } from '#contracts/errors.ts';
import type { RawPage, ReaderPort } from '#contracts/ports/reader.ts';
import type { ReadPage } from '#contracts/research/page.ts';
import { PARSER_VERSION } from '../parser-version.ts';
import type { ReadAnswer, ReadQuestion } from './reader-messages.ts';

export type ReaderProcessOptions = {
  /** Longest reading of one page, waiting for others included; default 60 s. */
  readonly timeoutMs?: number;
  /** The process ends after so long without a page; default 30 s. */
  readonly idleMs?: number;
};

export type ReaderProcess = ReaderPort & {
  /** 0 while no process runs. */
  readonly pid: () => number;
  stop(): Promise<void>;
};

/** Fragments of parsed pages pile up in a long-lived heap; a fresh process is cheaper than finding them. */
const MAX_PAGES_PER_PROCESS = 400;
const HEAP_MB = 512;

type Waiting = {
  readonly resolve: (page: ReadPage) => void;
  readonly reject: (reason: Error) => void;
  readonly deadline: NodeJS.Timeout;
};

type Running = {
  readonly child: ChildProcess;
  readonly waiting: Map<number, Waiting>;
  pages: number;
  isRetired: boolean;
};

export function createReaderProcess(options: ReaderProcessOptions = {}): ReaderProcess {
  const owner = new ReaderOwner(options.timeoutMs ?? 60_000, options.idleMs ?? 30_000);
  return {
    parserVersion: PARSER_VERSION,
    read: (page) => owner.read(page),
    pid: () => owner.pid(),
    stop: () => owner.stop(),
  };
}

class ReaderOwner {
  readonly #timeoutMs: number;
  readonly #idleMs: number;
  #running: Running | null = null;
  #idle: NodeJS.Timeout | null = null;
  #lastId = 0;
  #isStopped = false;

  constructor(timeoutMs: number, idleMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#idleMs = idleMs;
  }

  pid(): number {
    return this.#running?.child.pid ?? 0;
  }

  read(page: RawPage): Promise<ReadPage> {
    if (this.#isStopped) return Promise.reject(unreadable('the reader was stopped'));
    if (this.#idle !== null) clearTimeout(this.#idle);
    const running = this.#ready();
    running.pages += 1;
    this.#lastId += 1;
    const question: ReadQuestion = { id: this.#lastId, page };
    return new Promise<ReadPage>((resolve, reject) => {
      const deadline = setTimeout(() => {
        settle(running, question.id)?.reject(unreadable(`reading took longer than ${this.#timeoutMs} ms`));
        this.#retire(running);
        running.child.kill('SIGKILL');
      }, this.#timeoutMs);
      running.waiting.set(question.id, { resolve, reject, deadline });
      running.child.send(question, (error) => {
        if (error !== null) settle(running, question.id)?.reject(unreadable('the reading process is gone'));
      });
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#idle !== null) clearTimeout(this.#idle);
    const running = this.#running;
    if (running === null) return;
    const ended = new Promise((resolve) => running.child.once('exit', resolve));
    running.child.kill('SIGKILL');
    await ended;
  }

  #ready(): Running {
    if (this.#running !== null && this.#running.pages >= MAX_PAGES_PER_PROCESS) this.#retire(this.#running);
    this.#running ??= this.#launch();
    return this.#running;
  }

  #launch(): Running {
    const child = fork(fileURLToPath(new URL('./reader-main.ts', import.meta.url)), [], {
      execArgv: ['--import', import.meta.resolve('tsx'), `--max-old-space-size=${HEAP_MB}`],
      // Pages are bytes; JSON would make them four times as long.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
    });
    const running: Running = { child, waiting: new Map(), pages: 0, isRetired: false };
    child.on('message', (answer: ReadAnswer) => this.#take(running, answer));
    child.on('error', () => this.#lost(running));
    child.on('exit', () => this.#lost(running));
    // The product may end while the process idles; RD3 is kept by the closing channel.
    child.unref();
    child.channel?.unref();
    return running;
  }

  #take(running: Running, answer: ReadAnswer): void {
    const waiting = settle(running, answer.id);
    if (waiting !== undefined) {
      if ('page' in answer) waiting.resolve(answer.page);
      else waiting.reject(new PlatformError(answer.failure));
    }
    if (running.waiting.size > 0) return;
    if (running.isRetired) running.child.kill();
    else this.#restLater(running);
  }

  #restLater(running: Running): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#retire(running);
      running.child.kill();
    }, this.#idleMs).unref();
  }

  /** Takes no more pages; what it reads now is finished. */
  #retire(running: Running): void {
    running.isRetired = true;
    if (this.#running === running) this.#running = null;
  }

  #lost(running: Running): void {
    this.#retire(running);
    for (const id of running.waiting.keys()) {
      settle(running, id)?.reject(unreadable('the reading process ended over this page or one beside it'));
    }
  }
}

function settle(running: Running, id: number): Waiting | undefined {
  const waiting = running.waiting.get(id);
  running.waiting.delete(id);
  clearTimeout(waiting?.deadline);
  return waiting;
}

const unreadable = (message: string): PlatformError => new PlatformError(failure('page.unreadable', message));
