import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDERS } from '../lint/import-table.ts';
import type { Check } from './run-checks.ts';

const TSX = ['--import', 'tsx'];
const PRETTIER = 'node_modules/prettier/bin/prettier.cjs';
const OXLINT = 'node_modules/oxlint/bin/oxlint';
const TYPESCRIPT = 'node_modules/typescript7/bin/tsc';
const VITEST = 'node_modules/vitest/vitest.mjs';

export type CheckOptions = { readonly root: string; readonly isFixing: boolean; readonly summaryFolder: string };

export function summaryPath(folder: string, layer: string): string {
  return join(folder, `${layer}.json`);
}

/** One test layer: a project of vitest.config.ts. */
export function layerCheck(layer: string, summaryFolder: string, isLive: boolean): Check {
  return {
    name: layer,
    args: [VITEST, 'run', '--project', layer, '--reporter=default', '--reporter=./scripts/verify/summary-reporter.ts'],
    env: { YUNSOU_TEST_SUMMARY: summaryPath(summaryFolder, layer) },
    isLive,
  };
}

/** What the linter reads: our folders and the configuration at the root, never a stray file. */
function lintTargets(root: string): string[] {
  const configs = readdirSync(root).filter((name) => name.endsWith('.config.ts'));
  return [...FOLDERS.filter((folder) => existsSync(join(root, folder))), ...configs];
}

/** Everything `npm run verify` holds, the slowest first. */
export function listChecks({ root, isFixing, summaryFolder }: CheckOptions): Check[] {
  const format = [
    PRETTIER,
    isFixing ? '--write' : '--check',
    '--log-level',
    'warn',
    '--cache',
    '--cache-strategy',
    'content',
    '.',
  ];
  const lint = [OXLINT, '--type-aware', '-f', 'unix', ...(isFixing ? ['--fix'] : []), ...lintTargets(root)];
  return [
    layerCheck('contract', summaryFolder, false),
    { name: 'lint', args: lint },
    { name: 'imports', args: [...TSX, 'scripts/check-imports.ts'] },
    { name: 'format', args: format },
    { name: 'types', args: [TYPESCRIPT, '-p', '.'] },
    { name: 'client-types', args: [TYPESCRIPT, '-p', 'client'] },
    { name: 'specs', args: [...TSX, 'scripts/check-specs.ts'] },
    { name: 'sizes', args: [...TSX, 'scripts/check-sizes.ts'] },
  ];
}

/** `--only a,b` keeps the named ones. Throws a RangeError that lists the names when one is unknown. */
export function selectChecks<T extends { readonly name: string }>(checks: readonly T[], only: string | undefined): T[] {
  if (only === undefined) return [...checks];
  const names = only.split(',');
  const unknown = names.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0) {
    throw new RangeError(`no check ${unknown.join(', ')}; there are ${checks.map((check) => check.name).join(', ')}`);
  }
  return checks.filter((check) => names.includes(check.name));
}
