import { existsSync, readFileSync } from 'node:fs';

/** What one run of vitest ended with. `leftOut` are the skipped ones. */
export type LayerSummary = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly leftOut: readonly { readonly title: string; readonly reason: string }[];
};

/** The summary a run has written; a run that wrote none did not get to its end, which is one failure. */
export function readSummary(path: string): LayerSummary {
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0, leftOut: [] };
  return JSON.parse(readFileSync(path, 'utf8')) as LayerSummary;
}

export function addSummaries(summaries: readonly LayerSummary[]): LayerSummary {
  const sum = (pick: (summary: LayerSummary) => number): number => summaries.reduce((all, one) => all + pick(one), 0);
  return {
    passed: sum((one) => one.passed),
    failed: sum((one) => one.failed),
    skipped: sum((one) => one.skipped),
    leftOut: summaries.flatMap((one) => one.leftOut),
  };
}

/** The last line of `npm test`. A check that failed without a failing test (lint, types …) counts as one failure. */
export function closingLine(summary: LayerSummary, failedChecks: number): string {
  return `${summary.passed} passed, ${summary.failed + failedChecks} failed, ${summary.skipped} skipped`;
}
