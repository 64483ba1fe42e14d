import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { selectChecks } from '#scripts/verify/checks.ts';
import { addSummaries, closingLine, readSummary } from '#scripts/verify/layer-summary.ts';
import { runChecks, type Check, type CheckResult } from '#scripts/verify/run-checks.ts';

let root: string;
let lines: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'run-checks-'));
  lines = [];
});

afterEach(() => rm(root, { recursive: true, force: true }));

const evaluate = (name: string, code: string): Check => ({ name, args: ['-e', code] });

function run(checks: readonly Check[], parallel = 2, timeoutMs = 20_000): Promise<CheckResult[]> {
  return runChecks(checks, { root, parallel, timeoutMs, print: (line) => lines.push(line) });
}

it('[RC3] the output of a failed check is shown whole, that of a passed one is not', async () => {
  const results = await run([
    evaluate('good', 'console.log("first words"); console.log("last words")'),
    evaluate('bad', 'console.log("what is wrong"); console.error("and where"); process.exit(3)'),
  ]);
  const shown = lines.join('\n');
  expect(results.map(({ name, isPassed }) => [name, isPassed]).sort()).toEqual([
    ['bad', false],
    ['good', true],
  ]);
  expect(shown).toMatch(/FAILED bad .* ended with 3/);
  expect(shown).toContain('what is wrong\nand where');
  expect(shown).toMatch(/ok {5}good .* last words/);
  expect(shown).not.toContain('first words');
});

it('[RC1] with one place the checks run one after the other', async () => {
  const log = "const fs = require('fs'); const log = (x) => fs.appendFileSync('log.txt', x);";
  const check = (name: string): Check =>
    evaluate(name, `${log} log('<'); setTimeout(() => { log('>'); console.log(1) }, 50)`);
  await run([check('a'), check('b')], 1);
  const [entry] = await run([evaluate('read', "console.log(require('fs').readFileSync('log.txt', 'utf8'))")]);
  expect(entry?.output.trim()).toBe('<><>');
});

it('[RC2] a check that does not end in its time is ended and failed', async () => {
  const [result] = await run([evaluate('endless', 'setInterval(() => {}, 1000)')], 1, 700);
  expect(result?.isPassed).toBe(false);
  expect(result?.reason).toContain('not finished after');
});

it('[TE3] the closing line adds the layers, and a check that failed without a test counts once', () => {
  const one = { passed: 3, failed: 1, skipped: 2, leftOut: [{ title: 'x', reason: 'no server' }] };
  const total = addSummaries([one, { passed: 4, failed: 0, skipped: 0, leftOut: [] }]);
  expect(closingLine(total, 1)).toBe('7 passed, 2 failed, 2 skipped');
  expect(total.leftOut).toEqual([{ title: 'x', reason: 'no server' }]);
});

it('[TE3] a layer that left no summary is one failure', async () => {
  expect(readSummary(join(root, 'none.json')).failed).toBe(1);
  await writeFile(join(root, 'some.json'), '{"passed": 1, "failed": 0, "skipped": 0, "leftOut": []}');
  expect(readSummary(join(root, 'some.json')).passed).toBe(1);
});

it('[TE1] an unknown name in --only is refused with the known ones', () => {
  const checks = [evaluate('a', ''), evaluate('b', '')];
  expect(selectChecks(checks, 'b').map(({ name }) => name)).toEqual(['b']);
  expect(() => selectChecks(checks, 'b,c')).toThrow('no check c; there are a, b');
});
