import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listSourceFiles } from './lint/source-files.ts';

/** Files above these are two files. A median or p90 above its aim is printed, not refused: it is a trend, not a fault. */
export const LIMITS = { sourceLines: 400, testLines: 500, medianAim: 110, p90Aim: 280 };

type FileSize = { readonly path: string; readonly lines: number };
export type SizeReport = {
  readonly files: number;
  readonly median: number;
  readonly p90: number;
  readonly tooLong: readonly FileSize[];
};

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Lines per file below `root`; tests have a limit of their own and do not count for median and p90. */
export function checkSizes(root: string): SizeReport {
  const sizes = listSourceFiles(root, /\.(?:ts|mts|mjs|js|css)$/).map((path): FileSize => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0) };
  });
  const isTest = (file: FileSize): boolean => file.path.startsWith('tests/');
  const limitOf = (file: FileSize): number => (isTest(file) ? LIMITS.testLines : LIMITS.sourceLines);
  const sourceLines = sizes.filter((file) => !isTest(file)).map((file) => file.lines);
  const sorted = sourceLines.sort((a, b) => a - b);
  return {
    files: sizes.length,
    median: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    tooLong: sizes.filter((file) => file.lines > limitOf(file)),
  };
}

function main(): void {
  const report = checkSizes(resolve(process.argv[2] ?? '.'));
  for (const { path, lines } of report.tooLong) {
    const limit = path.startsWith('tests/') ? LIMITS.testLines : LIMITS.sourceLines;
    console.log(`${path}: ${lines} lines, the limit is ${limit}; a file that needs section banners is two files`);
  }
  console.log(
    `${report.files} files, median ${report.median} lines (aim ${LIMITS.medianAim}), ` +
      `p90 ${report.p90} (aim ${LIMITS.p90Aim}), ${report.tooLong.length} too long`,
  );
  process.exitCode = report.tooLong.length > 0 ? 1 : 0;
}

if (process.argv[1] === import.meta.filename) main();
