import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkSizes, LIMITS } from '#scripts/check-sizes.ts';
import { checkSpecs } from '#scripts/check-specs.ts';
import { idsOfTitle, readTestTitles } from '#scripts/lint/test-titles.ts';

let root: string;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'check-specs-'));
  await write('tests/requirements.md', '# Requirements\n\n- QQ-01 Something.\n- QQ-02 Something else.\n');
  await write('runtime/SPEC.md', '# Rules\n\n- **ZA-01** One.\n\n| ZA-02 | Two. |\n\nText about ZA-09.\n');
  await write('actors/lamp/machine.ts', '// Lamp\n//\n//   LA1  It is off at first.\n\nexport const lamp = 1;\n');
  await write('runtime/host/beat.ts', '// Beat\n//\n//   HB1  Told, need not be tested by name.\n');
  await write(
    'tests/contract/a.test.ts',
    "it('[ZA-01] a', () => {});\nit('[ZA-02, LA1] b', () => {});\nit('[QQ-01] c', () => {});\nit('[HB1] d', () => {});\n",
  );
});

afterEach(() => rm(root, { recursive: true, force: true }));

it('[SP1] titles that answer to stated rules and known requirements pass', () => {
  expect(checkSpecs(root)).toMatchObject({ problems: [], titles: 4, requirements: { known: 2, named: 1 } });
});

it.each([
  ["it('no id at all', () => {});", 'starts with no id'],
  ["it('[QQ-77] unknown requirement', () => {});", 'nothing states QQ-77'],
  ["it('[ZA-09] only mentioned in the text', () => {});", 'nothing states ZA-09'],
  ["it.each([1])('[XX1] %s', () => {});", 'nothing states XX1'],
  ["describe('[QQ-77] suite', () => { it('inside', () => {}); });", 'nothing states QQ-77'],
])('[SP1] refused: %s', async (source, problem) => {
  await write('tests/contract/b.test.ts', source);
  expect(checkSpecs(root).problems).toEqual([expect.stringContaining(problem)]);
});

it('[SP1] a title inside a suite with an id needs none of its own', async () => {
  await write('tests/contract/b.test.ts', "describe('[QQ-02] suite', () => { it('inside', () => {}); });");
  expect(checkSpecs(root).problems).toEqual([]);
});

it('[SP2] a rule of a specification or a machine without a test is refused', async () => {
  await write('tests/contract/a.test.ts', "it('[ZA-01] a', () => {});\n");
  expect(checkSpecs(root).problems).toEqual([
    'runtime/SPEC.md: no test title names ZA-02',
    'actors/lamp/machine.ts: no test title names LA1',
  ]);
});

it('[SP3] two machines do not share an id', async () => {
  await write('actors/door/machine.ts', '// Door\n//\n//   LA1  It is shut at first.\n');
  expect(checkSpecs(root).problems).toEqual([expect.stringContaining('LA1 is already stated in actors/')]);
});

it.each([
  ['[TK-04] a stop', ['TK-04']],
  ['[TK-04, ST-01] a stop', ['TK-04', 'ST-01']],
  ['[TK-04] [AS2] a stop', ['TK-04', 'AS2']],
  ['a stop [TK-04]', []],
  ['[later] a stop', []],
])('[SP1] ids of "%s"', (title, ids) => {
  expect(idsOfTitle(title)).toEqual(ids);
});

it('[SP1] titles in strings, comments and other calls are not titles', () => {
  const source =
    "// it('x', () => {})\nconst text = \"it('y', () => {})\";\ncommit('z', () => {});\nexpect.it('[AA1] w');";
  expect(readTestTitles('x.test.ts', source)).toEqual([]);
});

it('[SP1] a file beyond its limit is named; tests have a limit of their own', async () => {
  await write('gateway/long.ts', 'x\n'.repeat(LIMITS.sourceLines + 1));
  await write('gateway/just.ts', 'x\n'.repeat(LIMITS.sourceLines));
  await write('tests/long.test.ts', 'x\n'.repeat(LIMITS.testLines + 1));
  await write('tests/just.test.ts', 'x\n'.repeat(LIMITS.testLines));
  expect(checkSizes(root).tooLong.map(({ path }) => path)).toEqual(['gateway/long.ts', 'tests/long.test.ts']);
});
