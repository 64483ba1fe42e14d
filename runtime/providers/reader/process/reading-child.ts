// ReadingChild
//
// One process that reads one page at a time.
// Owns:     the child process, the page that it has.
// Owns not: which page comes next, how many children there are (reader-process.ts).

import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { failure, PlatformError } from '#contracts/errors.ts';
import type { RawPage } from '#contracts/ports/reader.ts';
import type { ReadPage } from '#contracts/research/page.ts';
import type { ReadAnswer, ReadQuestion } from './reader-messages.ts';

const HEAP_MB = 512;

type Current = {
  readonly id: number;
  readonly resolve: (page: ReadPage) => void;
  readonly reject: (reason: Error) => void;
  readonly deadline: NodeJS.Timeout;
};

export class ReadingChild {
  /** Pages that it was given so far. */
  pages = 0;
  isGone = false;
  readonly #child: ChildProcess;
  #current: Current | null = null;

  constructor() {
    this.#child = fork(fileURLToPath(new URL('./reader-main.ts', import.meta.url)), [], {
      execArgv: ['--import', import.meta.resolve('tsx'), `--max-old-space-size=${HEAP_MB}`],
      // Pages are bytes; JSON would make them four times as long.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
    });
    this.#child.on('message', (answer: ReadAnswer) => this.#take(answer));
    this.#child.on('error', () => this.#lost());
    this.#child.on('exit', () => this.#lost());
    // The product may end while the process idles; it ends itself when its channel closes.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get pid(): number {
    return this.isGone ? 0 : (this.#child.pid ?? 0);
  }

  get isBusy(): boolean {
    return this.#current !== null;
  }

  read(page: RawPage, timeoutMs: number): Promise<ReadPage> {
    this.pages += 1;
    const question: ReadQuestion = { id: this.pages, page };
    return new Promise<ReadPage>((resolve, reject) => {
      const deadline = setTimeout(() => {
        this.#settle()?.reject(unreadable(`reading took longer than ${timeoutMs} ms`));
        void this.end();
      }, timeoutMs);
      this.#current = { id: question.id, resolve, reject, deadline };
      this.#child.send(question, (error) => {
        if (error !== null) this.#lost();
      });
    });
  }

  /** At once, whatever it does; resolves when the process is gone. */
  async end(): Promise<void> {
    this.isGone = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }

  #take(answer: ReadAnswer): void {
    // An answer to a page that was given up is nobody's.
    if (this.#current?.id !== answer.id) return;
    const current = this.#settle();
    if ('page' in answer) current?.resolve(answer.page);
    else current?.reject(new PlatformError(answer.failure));
  }

  #lost(): void {
    this.isGone = true;
    this.#settle()?.reject(unreadable('the reading process ended over this page'));
  }

  #settle(): Current | null {
    const current = this.#current;
    this.#current = null;
    clearTimeout(current?.deadline);
    return current;
  }
}

function unreadable(message: string): PlatformError {
  return new PlatformError(failure('page.unreadable', message));
}
