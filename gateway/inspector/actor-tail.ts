// The log of one actor as it grows.
//
// Owns:     the cursor, the pace, what is left out for a reader that fell far behind.
// Owns not: the log itself, which is the queue: nothing waits in memory.
//
//   TL1  Rows come in order, without gaps and repetitions, from the cursor on; only committed ones are there to be read.
//   TL2  A reader that was up to date and is more than MAX_BEHIND commits behind is taken to the end, with a gap.

import type { LoggedTransition, LogPlace } from '#contracts/ports/actor-store.ts';
import type { Clock } from '#contracts/ports/clock.ts';
import type { Inspection } from '#contracts/ports/inspection.ts';
import { cursorOf } from '../presenters/actors.ts';
import { BATCH_ROWS, type Gap, type Sink } from './batch.ts';
import { Pace } from './pace.ts';

const MAX_BEHIND = 2_000;
/** Beyond every index of a commit. */
export const END_OF_COMMIT = 2 ** 31 - 1;

export type TailSource = {
  readonly inspection: Inspection;
  readonly clock: Clock;
  readonly project: string;
  /** For readers to whom a row means nothing without all before it. */
  readonly mustBeWhole?: boolean;
};

export class ActorTail {
  readonly #source: TailSource;
  readonly #address: string;
  readonly #sink: Sink<LoggedTransition>;
  readonly #pace: Pace;
  #cursor: LogPlace | null;
  #newest = 0;
  #isUpToDate = false;
  #isStopped = false;
  #stopWatching: () => void = () => undefined;

  constructor(source: TailSource, address: string, after: LogPlace | null, sink: Sink<LoggedTransition>) {
    this.#source = source;
    this.#address = address;
    this.#cursor = after;
    this.#sink = sink;
    this.#pace = new Pace(source.clock, () => this.#read());
  }

  start(): void {
    const { inspection, project } = this.#source;
    this.#stopWatching = inspection.watchActor(project, this.#address, (seq) => {
      if (seq !== null) this.#newest = Math.max(this.#newest, seq);
      this.#pace.ask();
    });
    this.#pace.ask();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopWatching();
    this.#pace.stop();
  }

  async #read(): Promise<void> {
    if (!this.#sink.isFree()) return this.#pace.ask();
    const gap = this.#skip();
    try {
      const { inspection, project } = this.#source;
      const rows = await inspection.readTransitions(project, this.#address, this.#cursor, BATCH_ROWS);
      if (this.#isStopped) return;
      const last = rows.at(-1);
      if (last !== undefined) this.#cursor = { seq: last.seq, index: last.index };
      if (rows.length === BATCH_ROWS) this.#pace.ask();
      else this.#isUpToDate = true;
      const { seq, index } = this.#cursor ?? { seq: 0, index: 0 };
      if (rows.length > 0 || gap !== null) this.#sink.send({ rows, cursor: cursorOf({ seq, index }), gap });
    } catch (cause) {
      if (!this.#isStopped) this.#sink.fail(cause);
    }
  }

  #skip(): Gap | null {
    const at = this.#cursor;
    if (this.#source.mustBeWhole === true || !this.#isUpToDate || at === null || this.#newest - at.seq <= MAX_BEHIND)
      return null;
    const seq = this.#newest - BATCH_ROWS;
    this.#cursor = { seq, index: END_OF_COMMIT };
    // a commit holds one transition or more
    return { transitions: seq - at.seq, isExact: false, after: cursorOf(at) };
  }
}
