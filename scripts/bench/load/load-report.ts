import type { Durations } from '../runtime/percentiles.ts';
import { rounded } from '../runtime/percentiles.ts';
import type { RecoveryMeasured } from './measure-recovery.ts';
import type { StopMeasured } from './measure-stop.ts';

/** What `npm run bench -- load --json` prints. A part that was left out has `null`. */
export type LoadReport = {
  readonly actors: number;
  readonly postgres: string;
  readonly fsync: string;
  /** How news passed between the worker processes: `nats`, or `polls` when no server was reachable. */
  readonly wire: 'nats' | 'polls';
  readonly spawn_s: number;
  readonly spawn_per_s: number;
  readonly spawn_limit_per_s: number;
  readonly spawn_ratio_to_limit: number;
  readonly sleeping_bytes_per_actor: number;
  readonly resident_bytes_per_actor: number;
  readonly wake_p50_ms: number;
  readonly wake_p99_ms: number;
} & CrossingFields &
  RecoveryFields &
  StopFields &
  WatchingFields;

type Nullable<Fields> = { readonly [Name in keyof Fields]: Fields[Name] | null };

export type CrossingFields = Nullable<{ cross_process_p50_ms: number; cross_process_p99_ms: number }>;

export function crossingFields(hops: Durations | null): CrossingFields {
  return {
    cross_process_p50_ms: hops === null ? null : rounded(hops.at(0.5)),
    cross_process_p99_ms: hops === null ? null : rounded(hops.at(0.99)),
  };
}

export type RecoveryFields = Nullable<{
  /** From the kill until every actor of the killed worker had taken a step again. */
  recovery_s: number;
  /** Of that: until its shards had new owners. */
  takeover_s: number;
  /** Actors with work over all workers, and those of the killed one. */
  recovery_actors: number;
  recovered_actors: number;
  others_p99_before_ms: number;
  others_p99_during_ms: number;
  others_p99_ratio: number;
  others_timeline: RecoveryMeasured['timeline'];
}>;

export function recoveryFields(measured: RecoveryMeasured | null): RecoveryFields {
  if (measured === null) return NO_RECOVERY;
  const { p99BeforeMs, p99DuringMs, timeline } = measured;
  return {
    recovery_s: rounded(measured.seconds),
    takeover_s: rounded(measured.takenOverSeconds),
    recovery_actors: measured.actors,
    recovered_actors: measured.recovered,
    others_p99_before_ms: rounded(p99BeforeMs),
    others_p99_during_ms: rounded(p99DuringMs),
    others_p99_ratio: rounded(p99DuringMs / p99BeforeMs),
    others_timeline: timeline.map(({ atS, p50Ms, p99Ms }) => ({
      atS: rounded(atS, 1),
      p50Ms: rounded(p50Ms, 1),
      p99Ms: rounded(p99Ms, 1),
    })),
  };
}

const NO_RECOVERY: RecoveryFields = {
  recovery_s: null,
  takeover_s: null,
  recovery_actors: null,
  recovered_actors: null,
  others_p99_before_ms: null,
  others_p99_during_ms: null,
  others_p99_ratio: null,
  others_timeline: null,
};

export type StopFields = Nullable<{
  stop_actors: number;
  stop_rounds: number;
  stop_persisted_p50_ms: number;
  stop_persisted_p99_ms: number;
  /** Steps and sent effects of the stopped actors in all; so that a zero after the stop means something. */
  stop_commits: number;
  stop_effects: number;
  commits_after_stop: number;
  effects_after_stop: number;
}>;

export function stopFields(measured: StopMeasured | null): StopFields {
  return {
    stop_actors: measured?.drones ?? null,
    stop_rounds: measured?.persisted.count ?? null,
    stop_persisted_p50_ms: measured === null ? null : rounded(measured.persisted.at(0.5), 1),
    stop_persisted_p99_ms: measured === null ? null : rounded(measured.persisted.at(0.99), 1),
    stop_commits: measured?.commits ?? null,
    stop_effects: measured?.effects ?? null,
    commits_after_stop: measured?.commitsAfter ?? null,
    effects_after_stop: measured?.effectsAfter ?? null,
  };
}

export type WatchingFields = Nullable<{ watching_actors: number; watching_ratio: number }>;

export function watchingFields(measured: { readonly actors: number; readonly ratio: number } | null): WatchingFields {
  return {
    watching_actors: measured?.actors ?? null,
    watching_ratio: measured === null ? null : rounded(measured.ratio),
  };
}

type Line = readonly [label: string, value: number | null, unit: string, note?: string];

/** The table of the terminal. */
export function loadLines(report: LoadReport): string[] {
  const lines: readonly Line[] = [
    [
      'actors created',
      report.spawn_per_s,
      '/s',
      `limit ${report.spawn_limit_per_s}/s (× ${report.spawn_ratio_to_limit})`,
    ],
    [`${report.actors} actors created in`, report.spawn_s, 's'],
    ['a sleeping actor takes', report.sleeping_bytes_per_actor, 'bytes'],
    ['a resident actor takes', report.resident_bytes_per_actor, 'bytes'],
    ['a sleeping actor wakes up, p50', report.wake_p50_ms, 'ms'],
    ['a sleeping actor wakes up, p99', report.wake_p99_ms, 'ms'],
    ['between processes, p50', report.cross_process_p50_ms, 'ms', report.wire],
    ['between processes, p99', report.cross_process_p99_ms, 'ms', report.wire],
    [
      'recovered after a kill in',
      report.recovery_s,
      's',
      `${report.recovered_actors} actors, taken over in ${report.takeover_s} s`,
    ],
    [
      "other workers' p99 meanwhile",
      report.others_p99_during_ms,
      'ms',
      `before ${report.others_p99_before_ms} ms (× ${report.others_p99_ratio})`,
    ],
    [
      'stop accepted to persisted, p50',
      report.stop_persisted_p50_ms,
      'ms',
      `${report.stop_actors} busy actors, ${report.stop_rounds} rounds`,
    ],
    ['stop accepted to persisted, p99', report.stop_persisted_p99_ms, 'ms'],
    ['commits after the stop', report.commits_after_stop, '', `of ${report.stop_commits}`],
    ['effects sent after the stop', report.effects_after_stop, '', `of ${report.stop_effects}`],
    ['throughput while watched', report.watching_ratio, '×', `${report.watching_actors} actors`],
  ];
  return lines.filter(([, value]) => value !== null).map(lineOf);
}

function lineOf([label, value, unit, note]: Line): string {
  return `${label.padStart(34)}  ${`${value} ${unit}`.padEnd(14)} ${note ?? ''}`.trimEnd();
}
