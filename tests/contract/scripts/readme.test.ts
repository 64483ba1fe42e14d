import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { settings } from '#runtime/main/config.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');

it('[OP-01] the README names every setting with its option and its default', () => {
  const rows = read('README.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  for (const [name, setting] of Object.entries(settings)) {
    const row = rows.find((cells) => cells[1] === name);
    expect(row?.slice(2, 4), name).toEqual([`--${setting.flag}`, setting.default]);
  }
});

it.each(['README.md', 'CONTRIBUTING.md'])('[OP-01] files and commands named in %s exist', (page) => {
  const text = read(page);
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1] ?? '');
  // Screenshots are made by the e2e tests.
  const missing = links.filter((path) => !path.startsWith('docs/screenshot-') && !existsSync(join(PROJECT, path)));
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
  const commands = [...text.matchAll(/npm run ([a-z-]+)/g)].map((match) => match[1] ?? '');
  expect([...missing, ...commands.filter((command) => scripts[command] === undefined)]).toEqual([]);
});
