import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listChecks, selectChecks } from './verify/checks.ts';
import { endChecksOnSignal, runChecks } from './verify/run-checks.ts';

/** Far above what any check needs; a check that waits for ever must not. */
const TIMEOUT_MS = 5 * 60_000;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, fix: { type: 'boolean', default: false } } });
  const root = process.cwd();
  const summaryFolder = mkdtempSync(join(tmpdir(), 'yunsou-verify-'));
  endChecksOnSignal();
  const startedAt = performance.now();
  try {
    const checks = selectChecks(listChecks({ root, isFixing: values.fix, summaryFolder }), values.only);
    const results = await runChecks(checks, {
      root,
      parallel: availableParallelism(),
      timeoutMs: TIMEOUT_MS,
      print: console.log,
    });
    const failed = results.filter((result) => !result.isPassed).map((result) => result.name);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(
      failed.length === 0 ? `\nverified in ${seconds} s` : `\nnot verified (${seconds} s): ${failed.join(', ')}`,
    );
    process.exitCode = failed.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof RangeError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS'))) throw error;
    console.error((error as Error).message);
    process.exitCode = 1;
  } finally {
    rmSync(summaryFolder, { recursive: true, force: true });
  }
}

await main();
