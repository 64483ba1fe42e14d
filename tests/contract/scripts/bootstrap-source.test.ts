import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeUnsuitableNode } from '#scripts/bootstrap/node-version.mjs';

const PROJECT = join(import.meta.dirname, '../../..');

it.each([
  ['18.20.4', true],
  ['20.18.3', true],
  ['20.19.0', false],
  ['22.1.0', false],
  ['26.0.0', false],
])('[BO1] Node %s is unsuitable: %s', (version, isUnsuitable) => {
  const sentence = describeUnsuitableNode(version, '/opt/node');
  expect(sentence !== '').toBe(isUnsuitable);
  if (isUnsuitable) expect(sentence).toContain(`this is Node ${version} (/opt/node)`);
});

it('[BO1] the bootstrap is written so that an old Node gets as far as the sentence', async () => {
  const names = (await readdir(join(PROJECT, 'scripts/bootstrap')))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => `bootstrap/${name}`);
  for (const name of ['bootstrap.mjs', ...names]) {
    const source = await readFile(join(PROJECT, 'scripts', name), 'utf8');
    expect(source, name).not.toMatch(/\?\.|\?\?|\|\|=|from 'node:|^await |static \{|#[a-z]+\(/m);
    expect(source, name).not.toMatch(/from '(?![./]|fs'|os'|path'|url'|crypto'|child_process')/);
  }
});
