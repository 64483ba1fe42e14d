import { resolve } from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { importRules } from './lint/import-rules.ts';
import { listSourceFiles } from './lint/source-files.ts';

export type ImportProblem = {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
  readonly because: string;
};
export type ImportReport = { readonly modules: number; readonly problems: readonly ImportProblem[] };

async function cruiseTree(files: readonly string[], root: string): Promise<ICruiseResult> {
  const options: ICruiseOptions = {
    baseDir: root,
    doNotFollow: { path: 'node_modules' },
    combinedDependencies: true,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: resolve(root, 'tsconfig.json') },
    validate: true,
    ruleSet: { forbidden: importRules() },
  };
  const tsConfig = extractTSConfig(resolve(root, 'tsconfig.json'));
  const { output } = await cruise(
    [...files],
    options,
    { exportsFields: ['exports'], conditionNames: ['import'] },
    {
      tsConfig,
    },
  );
  if (typeof output === 'string') throw new TypeError(`dependency-cruiser answered with text: ${output.slice(0, 200)}`);
  return output;
}

/**
 * Holds every import below `root` against the table in lint/import-table.ts.
 * Throws when a TypeScript file was not read: with an unsuitable compiler dependency-cruiser reads nothing and reports peace.
 */
export async function checkImports(root: string): Promise<ImportReport> {
  const files = listSourceFiles(root, /\.(?:ts|mts|mjs|js)$/);
  const result = await cruiseTree(files, root);
  const seen = new Set(result.modules.map((module) => module.source));
  const unread = files.filter((file) => !seen.has(file));
  const edges = result.modules.reduce(
    (sum, module) => sum + (files.includes(module.source) ? module.dependencies.length : 0),
    0,
  );
  if (unread.length > 0 || (files.length > 1 && edges === 0)) {
    throw new Error(
      `${files.length - unread.length} of ${files.length} files and ${edges} imports read; the check is void.`,
    );
  }
  const because = new Map(importRules().map((rule) => [rule.name ?? '', rule.comment ?? '']));
  const problems = result.summary.violations.map(({ rule, from, to, cycle }) => ({
    rule: rule.name,
    from,
    to: cycle ? cycle.map((step) => step.name).join(' → ') : to,
    because: because.get(rule.name) ?? '',
  }));
  return { modules: files.length, problems };
}

async function main(): Promise<void> {
  const rootAt = process.argv.indexOf('--root');
  const report = await checkImports(resolve(rootAt > 0 ? (process.argv[rootAt + 1] ?? '.') : '.'));
  if (process.argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify(report)}\n`);
  } else {
    for (const { from, to, because, rule } of report.problems)
      console.log(`${from}\n    imports ${to}\n    ${because} (${rule})`);
    console.log(`${report.modules} files, ${report.problems.length} forbidden imports`);
  }
  process.exitCode = report.problems.length > 0 ? 1 : 0;
}

if (process.argv[1] === import.meta.filename) await main();
