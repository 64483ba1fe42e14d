import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import type { LayerSummary } from './layer-summary.ts';

/** Writes the counts of a run, and what was left out with its reason, to the file named in YUNSOU_TEST_SUMMARY. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const countOf = (state: string): number => tests.filter((test) => test.result().state === state).length;
    // A file that does not load has no tests to fail; it counts as one failure, as does an error outside of every test.
    const brokenModules = modules.filter((module) => module.errors().length > 0).length;
    const leftOut = tests.flatMap((test) => {
      const result = test.result();
      if (result.state !== 'skipped') return [];
      return [{ title: test.fullName, reason: result.note ?? '' }];
    });
    const summary: LayerSummary = {
      passed: countOf('passed'),
      failed: countOf('failed') + brokenModules + errors.length,
      skipped: countOf('skipped') + countOf('pending'),
      leftOut,
    };
    const path = process.env['YUNSOU_TEST_SUMMARY'];
    if (path !== undefined) writeFileSync(path, JSON.stringify(summary));
  }
}
