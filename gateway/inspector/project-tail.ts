// The log of a whole project as it grows, a line for each transition.
//
// Owns:     what waits for the reader, at most MAX_WAITING lines; the count of what was left out.
// Owns not: the log; what was left out is read again over HTTP, by actor or by time.
//
//   TL3  A batch has at most 200 lines and comes at most ten times a second; what does not fit is counted in a gap.
//   TL4  With a cursor the reader first gets the log from there on, some of it perhaps again; beyond MAX_CAUGHT_UP a gap.

import type { TransitionSummary } from '#contracts/http/actors.ts';
import type { ProjectLogPlace } from '#contracts/ports/actor-store.ts';
import type { ProjectHint } from '#contracts/ports/inspection.ts';
import { summarizeHint, summarizeTransition } from '../presenters/actors.ts';
import type { TailSource } from './actor-tail.ts';
import { BATCH_ROWS, COMMIT_UNDER_WAY_MS, startOfLog, type Gap, type Sink } from './batch.ts';
import { Pace } from './pace.ts';

const MAX_WAITING = 500;
const MAX_CAUGHT_UP = 2_000;

export class ProjectTail {
  readonly #source: TailSource;
  readonly #sink: Sink<TransitionSummary>;
  readonly #pace: Pace;
  /** Where catching up goes on; `null` when it is done. */
  #behind: ProjectLogPlace | null;
  #caughtUp = 0;
  #cursorMs: number;
  #waiting: { readonly line: TransitionSummary; readonly atMs: number }[] = [];
  #left = 0;
  #isLeftExact = true;
  #isStopped = false;
  #stopWatching: () => void = () => undefined;

  /** `afterMs` 0: from now on. */
  constructor(source: TailSource, afterMs: number, sink: Sink<TransitionSummary>) {
    this.#source = source;
    this.#sink = sink;
    this.#cursorMs = afterMs === 0 ? source.clock.nowMs() : afterMs;
    this.#behind = afterMs === 0 ? null : startOfLog(afterMs - COMMIT_UNDER_WAY_MS);
    this.#pace = new Pace(source.clock, () => this.#move());
  }

  start(): void {
    const { inspection, project } = this.#source;
    this.#stopWatching = inspection.watchProject(project, (hint) => this.#take(hint));
    if (this.#behind !== null) this.#pace.ask();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopWatching();
    this.#pace.stop();
  }

  #take({ rows, skipped, isLossy }: ProjectHint): void {
    for (const row of rows) this.#waiting.push({ line: summarizeHint(row), atMs: row.atMs });
    const tooMany = this.#waiting.length - MAX_WAITING;
    if (tooMany > 0) this.#waiting.splice(0, tooMany);
    this.#left += skipped + Math.max(0, tooMany);
    if (isLossy) this.#isLeftExact = false;
    this.#pace.ask();
  }

  async #move(): Promise<void> {
    if (!this.#sink.isFree()) return this.#pace.ask();
    if (this.#behind !== null) return this.#catchUp(this.#behind);
    const taken = this.#waiting.splice(0, BATCH_ROWS);
    const gap = this.#gap();
    if (taken.length === 0 && gap === null) return;
    for (const { atMs } of taken) this.#cursorMs = Math.max(this.#cursorMs, atMs);
    this.#sink.send({ rows: taken.map(({ line }) => line), cursor: String(this.#cursorMs), gap });
    if (this.#waiting.length > 0) this.#pace.ask();
  }

  async #catchUp(from: ProjectLogPlace): Promise<void> {
    try {
      const { inspection, project } = this.#source;
      const rows = await inspection.readProjectLog(project, from, BATCH_ROWS);
      if (this.#isStopped) return;
      const last = rows.at(-1);
      this.#caughtUp += rows.length;
      this.#behind = last === undefined || rows.length < BATCH_ROWS ? null : last;
      for (const { atMs } of rows) this.#cursorMs = Math.max(this.#cursorMs, atMs);
      if (rows.length > 0) {
        this.#sink.send({ rows: rows.map(summarizeTransition), cursor: String(this.#cursorMs), gap: null });
      }
      if (this.#behind !== null && this.#caughtUp >= MAX_CAUGHT_UP) {
        this.#behind = null;
        this.#isLeftExact = false;
      }
      this.#pace.ask();
    } catch (cause) {
      if (!this.#isStopped) this.#sink.fail(cause);
    }
  }

  #gap(): Gap | null {
    if (this.#left === 0 && this.#isLeftExact) return null;
    const gap = { transitions: this.#left, isExact: this.#isLeftExact, after: String(this.#cursorMs) };
    this.#left = 0;
    this.#isLeftExact = true;
    return gap;
  }
}
