import type { Violation } from '../oracle/violation.ts';

/** A source file with one guard taken out, as a child process loads it. */
export type Mutation = { readonly url: string; readonly source: string };

/** Seeds `from`, `from + stride`, … below `end`, in one process. */
export type Job = {
  readonly from: number;
  readonly end: number;
  readonly stride: number;
  readonly workers: number;
  readonly stopAtFirst: boolean;
  readonly mutation: Mutation | null;
};

export type Counts = Readonly<Record<string, number>>;
export type Found = Violation & { readonly seed: number };
export type Report = {
  /** Since the report before. */
  readonly schedules: number;
  readonly happened: number;
  readonly counts: Counts;
  readonly found: readonly Found[];
  readonly isLast: boolean;
};

export function addCounts(a: Counts, b: Counts): Counts {
  const sum: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
