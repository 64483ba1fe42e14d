import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PROJECT = join(import.meta.dirname, '../../..');

/** `[file, source, rule that must refuse it]`. */
const REFUSED: readonly (readonly [string, string, string])[] = [
  ['actors/task/machine.ts', 'export const now = () => Date.now();', 'eslint(no-restricted-globals)'],
  ['actors/task/rules.ts', 'export const dice = () => Math.random();', 'eslint(no-restricted-properties)'],
  ['actors/task/view.ts', 'export const later = () => setTimeout(String, 1);', 'eslint(no-restricted-globals)'],
  ['actors/task/contract.ts', "export const page = () => fetch('x');", 'eslint(no-restricted-globals)'],
  ['actors/task/upgrade.ts', 'export const home = process.env;', 'eslint(no-restricted-globals)'],
  [
    'actors/task/actor.ts',
    'export async function wait() {\n  await Promise.resolve();\n}',
    'house(no-async-in-pure-file)',
  ],
  ['actors/roles/verifier/definition.ts', 'export const id = crypto.randomUUID();', 'eslint(no-restricted-globals)'],
  ['runtime/core/step.ts', 'export const now = new Date();', 'eslint(no-restricted-globals)'],
  ['contracts/ids.ts', 'export const now = new Date();', 'eslint(no-restricted-globals)'],
  ['gateway/enum.ts', 'export enum Colour {\n  Red,\n}', 'house(no-enum)'],
  ['gateway/dynamic.ts', "export const late = () => import('./enum.ts');", 'house(no-dynamic-import)'],
  ['gateway/star.ts', "export * from './enum.ts';", 'house(no-barrel)'],
  ['gateway/index.ts', "export { Colour } from './enum.ts';", 'house(no-barrel)'],
  ['gateway/default.ts', 'export default 1;', 'import(no-default-export)'],
  ['gateway/bare.ts', "export function stop() {\n  throw new Error('no');\n}", 'house(no-bare-error)'],
  ['gateway/text.ts', "export function stop() {\n  throw 'no';\n}", 'typescript(only-throw-error)'],
  ['gateway/floating.ts', 'export function go(job: Promise<void>) {\n  job;\n}', 'typescript(no-floating-promises)'],
  ['gateway/print.ts', "console.log('x');", 'eslint(no-console)'],
  ['gateway/loose.ts', 'export const isOne = (x: unknown) => x == 1;', 'eslint(eqeqeq)'],
  ['gateway/any.ts', 'export const x = (y: any) => y;', 'typescript(no-explicit-any)'],
  ['gateway/todo.ts', '// TODO later\nexport const x = 1;', 'eslint(no-warning-comments)'],
  [
    'gateway/cases.ts',
    "export function word(x: 'a' | 'b') {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n}",
    'typescript(switch-exhaustiveness-check)',
  ],
  ['gateway/long.ts', `export function long() {\n${'  String();\n'.repeat(51)}}`, 'eslint(max-lines-per-function)'],
  [
    'gateway/many.ts',
    'export const f = (a: 1, b: 1, c: 1, d: 1, e: 1, g: 1) => a + b + c + d + e + g;',
    'eslint(max-params)',
  ],
];

const ACCEPTED: readonly (readonly [string, string])[] = [
  ['actors/task/effects.ts', 'export async function now() {\n  await Promise.resolve();\n  return Date.now();\n}'],
  ['actors/work-item/rules.ts', 'export const later = (nowMs: number) => Math.max(nowMs, 1);'],
  ['runtime/host/clock.ts', 'export const now = () => Date.now();'],
  ['runtime/providers/reader/formats/pdf.ts', "export const pdf = () => import('./text.ts');"],
  ['gateway/named.ts', "import { pdf } from './x.ts';\nexport const colour = pdf;\nexport { other } from './x.ts';"],
  ['gateway/impossible.ts', "export function stop() {\n  throw new TypeError('no');\n}"],
  ['scripts/print.ts', "console.log('x');"],
  ['vite.config.ts', 'export default {};'],
];

let root: string;
let found: ReadonlyMap<string, readonly string[]>;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), `${text}\n`);
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'lint-rules-'));
  await cp(join(PROJECT, '.oxlintrc.json'), join(root, '.oxlintrc.json'));
  await mkdir(join(root, 'scripts/lint'), { recursive: true });
  await cp(join(PROJECT, 'scripts/lint/house-rules.mjs'), join(root, 'scripts/lint/house-rules.mjs'));
  const compilerOptions = { strict: true, target: 'ES2023', module: 'esnext', moduleResolution: 'bundler', types: [] };
  await write('tsconfig.json', JSON.stringify({ compilerOptions }));
  await write('package.json', '{"type": "module"}');
  for (const [path, text] of [...REFUSED, ...ACCEPTED]) await write(path, text);
  const oxlint = join(PROJECT, 'node_modules/oxlint/bin/oxlint');
  const run = promisify(execFile)(process.execPath, [oxlint, '--type-aware', '-f', 'json', '.'], { cwd: root });
  const { stdout } = await run.catch((failed: { stdout: string }) => failed);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { filename: string; code: string }[] };
  const byFile = new Map<string, string[]>();
  for (const { filename, code } of diagnostics) byFile.set(filename, [...(byFile.get(filename) ?? []), code]);
  found = byFile;
}, 60_000);

afterAll(() => rm(root, { recursive: true, force: true }));

it.each(REFUSED)('[LR1] %s is refused', (path, _text, code) => {
  expect(found.get(path) ?? []).toContain(code);
});

it.each(ACCEPTED)('[LR2] %s is accepted', (path) => {
  expect(found.get(path) ?? []).toEqual([]);
});
