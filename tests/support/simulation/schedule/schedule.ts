// A schedule: everything that decides a run. As JSON it is a replay.

import type { HostLimits } from '#runtime/host/limits.ts';
import type { Fault } from '../world/sim-process.ts';

/** Mail from outside. `to` may name an actor that never comes to be. */
export type Mail = { readonly to: string; readonly event: { readonly type: string; readonly to?: string } };

export type Verb =
  | ({ readonly verb: 'mail' | 'stop'; readonly worker: number } & Mail)
  | ({ readonly verb: 'ask'; readonly worker: number } & Mail)
  /** Posts an earlier message once more, as a client that saw no answer would. */
  | { readonly verb: 'redeliver'; readonly worker: number; readonly pick: number }
  | { readonly verb: 'hint'; readonly to: string }
  | { readonly verb: 'kill' | 'freeze' | 'thaw' | 'cut' | 'mend' | 'sever' | 'leave'; readonly worker: number }
  /** A new process; under the same name, or under one that was never used. */
  | { readonly verb: 'restart'; readonly worker: number; readonly skewMs: number; readonly isRenamed: boolean }
  /** An acquisition that an earlier process of this name sent, and that arrives only now. */
  | { readonly verb: 'usurp'; readonly worker: number }
  | ({ readonly verb: 'fault'; readonly worker: number } & Fault)
  | { readonly verb: 'wire'; readonly drop: number; readonly duplicate: number }
  | { readonly verb: 'advance'; readonly ms: number };

/** `after`: how many happenings follow; `dice`: what decides them, so that a verb plays the same in a shorter schedule. */
export type Step = Verb & { readonly after: number; readonly dice: number };

export type Schedule = {
  readonly seed: number;
  readonly workers: number;
  /** Probability that the oldest happening comes next. */
  readonly inOrder: number;
  readonly limits: Partial<HostLimits>;
  readonly steps: readonly Step[];
};

/** Processes that may live at once: the workers of the start, and one that joins. */
export function slotsOf({ workers }: Pick<Schedule, 'workers'>): number {
  return workers + 1;
}
