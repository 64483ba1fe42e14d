import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkImports, type ImportReport } from '#scripts/check-imports.ts';
import { HOMES } from '#scripts/lint/import-table.ts';

/** `[importing file, what it writes behind from]`; every file is made with just that import. */
const ALLOWED: readonly (readonly [string, string])[] = [
  ['contracts/a.ts', 'zod'],
  ['contracts/ports/b.ts', '../plain.ts'],
  ['runtime/core/a.ts', '#contracts/plain.ts'],
  ['runtime/core/b.ts', 'xstate'],
  ['runtime/host/a.ts', '#runtime/core/plain.ts'],
  ['runtime/host/b.ts', 'node:crypto'],
  ['runtime/bus/nats-bus.ts', 'nats'],
  ['runtime/telemetry/a.ts', 'pino'],
  ['runtime/providers/browser/a.ts', 'playwright'],
  ['runtime/providers/reader/a.ts', 'linkedom'],
  ['runtime/main/a.ts', '#gateway/plain.ts'],
  ['runtime/main/b.ts', '#persistence/plain.ts'],
  ['runtime/main/c.ts', '../providers/search/plain.ts'],
  ['runtime/main/d.ts', '#actors/catalogue.ts'],
  ['actors/catalogue.ts', './task/plain.ts'],
  ['actors/task/machine.ts', 'xstate'],
  ['actors/task/rules.ts', '#contracts/plain.ts'],
  ['actors/task/effects.ts', '#contracts/ports/plain.ts'],
  ['actors/roles/extractor/definition.ts', '../role-definition.ts'],
  ['persistence/a.ts', 'pg'],
  ['persistence/b.ts', '#contracts/ports/plain.ts'],
  ['gateway/a.ts', 'koa'],
  ['client/a.ts', 'socket.io-client'],
  ['client/b.ts', '#contracts/plain.ts'],
  ['scripts/a.ts', '#runtime/host/plain.ts'],
  ['tests/a.ts', 'playwright'],
];

/** The same, with the rule each must break. */
const FORBIDDEN: readonly (readonly [string, string, string])[] = [
  ['contracts/x1.ts', '#runtime/core/plain.ts', 'IM1'],
  ['contracts/x2.ts', 'node:fs', 'IM3'],
  ['contracts/x3.ts', 'xstate', 'IM2'],
  ['runtime/core/x1.ts', '../host/plain.ts', 'IM1'],
  ['runtime/core/x2.ts', '#contracts/ports/plain.ts', 'IM1'],
  ['runtime/core/x3.ts', 'node:crypto', 'IM3'],
  ['runtime/host/x1.ts', '../providers/search/plain.ts', 'IM1'],
  ['runtime/host/x2.ts', '#actors/task/plain.ts', 'IM1'],
  ['runtime/bus/x1.ts', '../core/plain.ts', 'IM1'],
  ['runtime/bus/memory-bus.ts', 'nats', 'IM2'],
  ['runtime/providers/browser/x1.ts', '../search/plain.ts', 'IM1'],
  ['runtime/providers/search/x1.ts', 'playwright', 'IM2'],
  ['runtime/providers/search/x2.ts', 'linkedom', 'IM2'],
  ['runtime/main/x1.ts', '#client/plain.ts', 'IM1'],
  ['runtime/main/x2.ts', '@mikro-orm/core', 'IM2'],
  ['actors/task/view.ts', '#contracts/ports/plain.ts', 'IM1'],
  ['actors/task/contract.ts', 'node:crypto', 'IM3'],
  ['actors/task/x1.ts', '../work-item/plain.ts', 'IM1'],
  ['actors/task/x2.ts', '#persistence/plain.ts', 'IM1'],
  ['actors/task/x3.ts', '#runtime/host/plain.ts', 'IM1'],
  ['actors/task/x4.ts', 'markdown-it', 'IM2'],
  ['actors/roles/extractor/x1.ts', '../verifier/plain.ts', 'IM1'],
  ['actors/roles/extractor/x2.ts', '../../task/plain.ts', 'IM1'],
  ['actors/roles/extractor/x3.ts', '#contracts/ports/plain.ts', 'IM1'],
  ['persistence/x1.ts', '#runtime/core/plain.ts', 'IM1'],
  ['persistence/x2.ts', '#gateway/plain.ts', 'IM1'],
  ['gateway/x1.ts', '#actors/task/plain.ts', 'IM1'],
  ['gateway/x2.ts', '#persistence/plain.ts', 'IM1'],
  ['gateway/x3.ts', 'pg', 'IM2'],
  ['client/x1.ts', '#contracts/ports/plain.ts', 'IM1'],
  ['client/x2.ts', '#gateway/plain.ts', 'IM1'],
  ['client/x3.ts', 'koa', 'IM2'],
  ['gateway/x4.ts', 'homeless', 'IM2'],
  ['gateway/x5.ts', '../contracts/plain.ts', 'IM5'],
  ['gateway/x6.ts', '#gateway/plain.ts', 'IM5'],
  ['runtime/host/x3.ts', '#runtime/host/plain.ts', 'IM5'],
  ['contracts/cycle-a.ts', './cycle-b.ts', 'IM4'],
];

const HELPERS = [
  'contracts/plain.ts',
  'contracts/ports/plain.ts',
  'runtime/core/plain.ts',
  'runtime/host/plain.ts',
  'runtime/providers/search/plain.ts',
  'actors/task/plain.ts',
  'actors/work-item/plain.ts',
  'actors/roles/role-definition.ts',
  'actors/roles/verifier/plain.ts',
  'persistence/plain.ts',
  'gateway/plain.ts',
  'client/plain.ts',
];

let root: string;
let report: ImportReport;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

async function writePackages(): Promise<void> {
  const names = [...HOMES.flatMap((home) => home.packages), 'homeless'];
  const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']));
  const folders = ['contracts', 'runtime', 'actors', 'persistence', 'gateway', 'client', 'tests', 'scripts'];
  const imports = Object.fromEntries(folders.map((folder) => [`#${folder}/*`, `./${folder}/*`]));
  await write('package.json', JSON.stringify({ name: 'tree', type: 'module', dependencies, imports }));
  for (const name of names) {
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    await write(`node_modules/${name}/index.js`, 'module.exports = {};\n');
  }
  await write('tsconfig.json', '{"compilerOptions": {"module": "nodenext", "moduleResolution": "nodenext"}}');
}

function problemsOf(from: string): readonly string[] {
  const ofFile = report.problems.filter((problem) => problem.from === from);
  return ofFile.map((problem) => problem.because.slice(1, 4));
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'import-rules-'));
  await writePackages();
  for (const path of HELPERS) await write(path, 'export const plain = 1;\n');
  for (const [from, imports] of [...ALLOWED, ...FORBIDDEN]) {
    await write(from, `import { plain } from '${imports}';\nexport const used = plain;\n`);
  }
  await write(
    'contracts/cycle-b.ts',
    "import type { used } from './cycle-a.ts';\nexport const plain: typeof used = 1;\n",
  );
  const script = join(import.meta.dirname, '../../../scripts/check-imports.ts');
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', script, '--root', root, '--json'], {
    maxBuffer: 2 ** 24,
  });
  const { stdout } = await run.catch((failed: { stdout: string; stderr: string }) => failed);
  report = JSON.parse(stdout) as ImportReport;
}, 60_000);

afterAll(() => rm(root, { recursive: true, force: true }));

it.each(ALLOWED)('[IM1] %s may import %s', (from) => {
  expect(problemsOf(from)).toEqual([]);
});

it.each(FORBIDDEN)('[IM1] %s may not import %s: %s', (from, _imports, rule) => {
  expect(problemsOf(from)).toContain(rule);
});

it('[IM4] a cycle closed by a type is a cycle', () => {
  expect(problemsOf('contracts/cycle-a.ts')).toContain('IM4');
});

it('[IM2] every package that the project depends on at run time has exactly one home or is started by its name', async () => {
  const manifest = JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const housed = HOMES.flatMap((home) => home.packages);
  const startedByName = ['tsx'];
  const homeless = Object.keys(manifest.dependencies).filter((name) => ![...housed, ...startedByName].includes(name));
  expect(homeless).toEqual([]);
  expect(new Set(housed).size).toBe(housed.length);
});

it('[IM1] a check that read nothing is an error, not a success', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'import-rules-empty-'));
  try {
    await writeFile(join(empty, 'tsconfig.json'), '{}');
    await mkdir(join(empty, 'gateway'));
    await writeFile(join(empty, 'gateway/a.ts'), 'export const a = 1;\n');
    await writeFile(join(empty, 'gateway/b.ts'), 'export const b = 1;\n');
    await expect(checkImports(empty)).rejects.toThrow('the check is void');
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
});
