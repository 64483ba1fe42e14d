export type RuntimePoint = {
  readonly concurrency: number;
  readonly limit_steps_per_s: number;
  readonly steps_per_s: number;
  readonly ratio_to_limit: number;
  readonly per_transition_steps_per_s: number;
  readonly ratio_to_per_transition: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly cpu_micros_per_step: number;
};

/** What `npm run bench -- runtime --json` prints. */
export type RuntimeReport = {
  readonly state_bytes: number;
  readonly postgres: string;
  readonly fsync: string;
  readonly points: readonly RuntimePoint[];
};
