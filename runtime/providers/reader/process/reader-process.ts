// The reader in processes of its own.
//
// Owns:     the child processes, the pages that wait for one.
// Owns not: how a page is read (reader.ts, the same code and result), the life of one child (reading-child.ts).
//
//   RD1  A page that hangs or kills its process fails alone; the next page gets a new process.
//   RD2  Memory of parsing is given back: a process ends after some idle time, and after many pages.
//   RD3  `stop` leaves no process behind, and no process outlives its owner.
//   RD4  Pages are read side by side, each in a process that has no other, in the order they came; never more processes than cores.

import { availableParallelism } from 'node:os';
import { failure, PlatformError } from '#contracts/errors.ts';
import type { RawPage, ReaderPort } from '#contracts/ports/reader.ts';
import type { ReadPage } from '#contracts/research/page.ts';
import { PARSER_VERSION } from '../parser-version.ts';
import { ReadingChild } from './reading-child.ts';

export type ReaderProcessOptions = {
  /** Longest reading of one page once a process has it; default 60 s. */
  readonly timeoutMs?: number;
  /** A process ends after so long without a page; default 30 s. */
  readonly idleMs?: number;
  /** Most processes at once; default one a core, at most four. */
  readonly processes?: number;
};

export type ReaderProcess = ReaderPort & {
  /** Of the processes that run now. */
  readonly pids: () => readonly number[];
  stop(): Promise<void>;
};

/** Fragments of parsed pages pile up in a long-lived heap; a fresh process is cheaper than finding them. */
const MAX_PAGES_PER_PROCESS = 400;
const MOST_PROCESSES = 4;

type Waiting = {
  readonly page: RawPage;
  readonly resolve: (page: ReadPage) => void;
  readonly reject: (reason: unknown) => void;
};

export function createReaderProcess(options: ReaderProcessOptions = {}): ReaderProcess {
  const pool = new ReaderPool(options);
  return {
    parserVersion: PARSER_VERSION,
    read: (page) => pool.read(page),
    pids: () => pool.pids(),
    stop: () => pool.stop(),
  };
}

class ReaderPool {
  readonly #timeoutMs: number;
  readonly #idleMs: number;
  readonly #most: number;
  readonly #children = new Set<ReadingChild>();
  readonly #idle = new Map<ReadingChild, NodeJS.Timeout>();
  readonly #waiting: Waiting[] = [];
  #isStopped = false;

  constructor({ timeoutMs = 60_000, idleMs = 30_000, processes }: ReaderProcessOptions) {
    this.#timeoutMs = timeoutMs;
    this.#idleMs = idleMs;
    this.#most = Math.max(1, processes ?? Math.min(availableParallelism(), MOST_PROCESSES));
  }

  pids(): readonly number[] {
    return [...this.#children].map(({ pid }) => pid).filter((pid) => pid !== 0);
  }

  read(page: RawPage): Promise<ReadPage> {
    if (this.#isStopped) return Promise.reject(stopped());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ page, resolve, reject });
      this.#serve();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { reject } of this.#waiting.splice(0)) reject(stopped());
    for (const timer of this.#idle.values()) clearTimeout(timer);
    await Promise.all([...this.#children].map((child) => child.end()));
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const child = this.#freeChild();
      if (child === undefined) return;
      const next = this.#waiting.shift();
      if (next !== undefined) void this.#give(child, next);
    }
  }

  #freeChild(): ReadingChild | undefined {
    for (const child of this.#children) if (child.isGone) this.#children.delete(child);
    const free = [...this.#children].find((child) => !child.isBusy);
    if (free !== undefined || this.#children.size >= this.#most) return free;
    const child = new ReadingChild();
    this.#children.add(child);
    return child;
  }

  async #give(child: ReadingChild, { page, resolve, reject }: Waiting): Promise<void> {
    clearTimeout(this.#idle.get(child));
    try {
      resolve(await child.read(page, this.#timeoutMs));
    } catch (error) {
      reject(error);
    }
    if (this.#isStopped) return;
    if (child.isGone || child.pages >= MAX_PAGES_PER_PROCESS) this.#dismiss(child);
    else this.#idle.set(child, setTimeout(() => this.#dismiss(child), this.#idleMs).unref());
    this.#serve();
  }

  #dismiss(child: ReadingChild): void {
    clearTimeout(this.#idle.get(child));
    this.#idle.delete(child);
    this.#children.delete(child);
    void child.end();
  }
}

function stopped(): PlatformError {
  return new PlatformError(failure('page.unreadable', 'The page could not be read: the reader was stopped.'));
}
