import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkSpecs } from '#scripts/check-specs.ts';
import { writeActor } from '#scripts/new-actor.ts';
import { nameActor } from '#scripts/new-actor/actor-names.ts';

const PROJECT = join(import.meta.dirname, '../../..');

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'new-actor-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

it('[NA1] what is written passes the compiler and the rule-id check as it stands', async () => {
  await writeActor(root, 'price-watch');
  await symlink(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  await writeFile(join(root, 'package.json'), '{"type": "module"}');
  const { compilerOptions } = JSON.parse(await readFile(join(PROJECT, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: Record<string, unknown>;
  };
  const folders = ['contracts', 'actors', 'runtime', 'persistence', 'tests'];
  const paths = Object.fromEntries(
    folders.map((folder) => [`#${folder}/*`, [`${root}/${folder}/*`, `${PROJECT}/${folder}/*`]]),
  );
  const config = { compilerOptions: { ...compilerOptions, paths }, include: ['actors', 'contracts', 'tests'] };
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(PROJECT, 'node_modules/typescript7/bin/tsc');
  const run = promisify(execFile)(process.execPath, [compiler, '-p', root], { cwd: root });
  const { stdout } = await run.catch((failed: { stdout: string }) => failed);
  // Files of the project itself are judged by the check of the project.
  expect(stdout.split('\n').filter((line) => /^(?:actors|contracts|tests)\//.test(line))).toEqual([]);
  expect(checkSpecs(root).problems).toEqual([]);
}, 60_000);

it('[NA2] nothing is written over what exists', async () => {
  await writeActor(root, 'lamp');
  await expect(writeActor(root, 'lamp')).rejects.toThrow('exists already; nothing was written');
});

it.each(['', 'X', 'Price', 'a', 'a_b', '../a', '-a', 'a--b'])('[NA3] "%s" cannot be a kind', (kind) => {
  expect(() => nameActor(kind)).toThrow(RangeError);
});

it('[NA3] the names of a kind', () => {
  expect(nameActor('price-watch')).toEqual({
    kind: 'price-watch',
    type: 'PriceWatch',
    value: 'priceWatch',
    rules: 'PW',
  });
  expect(nameActor('lamp', 'LM').rules).toBe('LM');
});
