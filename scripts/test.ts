// All checks and all test layers
//
// Owns:     the order of the layers, the time limit of the whole, the closing line.
// Owns not: what a layer needs (its own set-up in tests/support starts and stops that).
//
//   TE1  A failing check or layer does not keep the others from running; the exit code is 1 when anything failed.
//   TE2  What was left out is said by name, with the reason.
//   TE3  The last line is `N passed, N failed, N skipped`; a check that failed without a failing test counts as one failure.
//   TE4  The whole ends within TOTAL_MS; what did not get its time counts as failed.

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { layerCheck, listChecks, selectChecks, summaryPath } from './verify/checks.ts';
import { addSummaries, closingLine, readSummary, type LayerSummary } from './verify/layer-summary.ts';
import { endChecksOnSignal, runChecks, type Check, type CheckResult } from './verify/run-checks.ts';

/** It aims at less than 20 minutes; a machine that is busy with something else gets a little longer before results are lost. */
const TOTAL_MS = 24 * 60_000;
/**
 * One group after the other: each layer may start a database and a browser, and two cores are what there is. The layers of the
 * last group have one worker each, and that of `security` mostly waits for what must not happen.
 */
const GROUPS = [['integration'], ['simulation'], ['security', 'e2e']];
const LAYERS = GROUPS.flat();
const SHOWN_LEFT_OUT = 50;

function listLeftOut(layers: readonly string[], summaries: readonly LayerSummary[]): string[] {
  const empty = layers.filter((_, index) => {
    const { passed, failed, skipped } = summaries[index] ?? { passed: 0, failed: 0, skipped: 0 };
    return passed + failed + skipped === 0;
  });
  const skipped = summaries.flatMap((summary) => summary.leftOut);
  const lines = skipped.map(({ title, reason }) => `${title}${reason === '' ? '' : ` (${reason})`}`);
  const more = lines.length > SHOWN_LEFT_OUT ? [`… and ${lines.length - SHOWN_LEFT_OUT} more`] : [];
  return [
    ...empty.map((layer) => `${layer}: there are no tests in this layer`),
    ...lines.slice(0, SHOWN_LEFT_OUT),
    ...more,
  ];
}

async function runAll(root: string, summaryFolder: string, only: string | undefined): Promise<CheckResult[]> {
  const endAt = performance.now() + TOTAL_MS;
  const quick: Check[] = [
    ...listChecks({ root, isFixing: false, summaryFolder }),
    { name: 'client-build', args: ['--import', 'tsx', 'scripts/check-client.ts'] },
  ];
  const slow = GROUPS.map((group) => group.map((layer) => layerCheck(layer, summaryFolder, true)));
  const chosen = new Set(selectChecks([...quick, ...slow.flat()], only).map((check) => check.name));
  const run = (checks: readonly Check[], parallel: number): Promise<CheckResult[]> =>
    runChecks(
      checks.filter((check) => chosen.has(check.name)),
      { root, parallel, timeoutMs: Math.max(1000, endAt - performance.now()), print: console.log },
    );
  const results = await run(quick, availableParallelism());
  for (const group of slow) results.push(...(await run(group, group.length)));
  return results;
}

function report(results: readonly CheckResult[], summaryFolder: string): number {
  const layers = ['contract', ...LAYERS].filter((layer) => results.some((result) => result.name === layer));
  const summaries = layers.map((layer) => readSummary(summaryPath(summaryFolder, layer)));
  const total = addSummaries(summaries);
  const hasFailingTest = (name: string): boolean => (summaries[layers.indexOf(name)]?.failed ?? 0) > 0;
  const failed = results.filter((result) => !result.isPassed);
  const leftOut = listLeftOut(layers, summaries);
  console.log('');
  for (const { name, reason } of failed) console.log(`failed: ${name} (${reason})`);
  for (const line of leftOut) console.log(`left out: ${line}`);
  console.log(closingLine(total, failed.filter((result) => !hasFailingTest(result.name)).length));
  return failed.length > 0 || total.failed > 0 ? 1 : 0;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const summaryFolder = mkdtempSync(join(tmpdir(), 'yunsou-test-'));
  endChecksOnSignal();
  try {
    const results = await runAll(process.cwd(), summaryFolder, values.only);
    process.exitCode = report(results, summaryFolder);
  } finally {
    rmSync(summaryFolder, { recursive: true, force: true });
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
