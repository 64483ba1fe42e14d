import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReadPage } from '#contracts/research/page.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
let folder: string;

type Run = { readonly status: number; readonly stdout: string; readonly stderr: string };

function runCli(...args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', 'scripts/cli.ts', ...args],
      { cwd: ROOT },
      (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
      },
    );
  });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'yunsou-cli-'));
  writeFileSync(join(folder, 'a.html'), '<title>Page A</title><h1>A</h1><p>The words of page A.</p>');
  writeFileSync(join(folder, 'b.html.gz'), gzipSync('<title>Page B</title><h1>B</h1><p>The words of page B.</p>'));
  writeFileSync(join(folder, 'c.md'), '# C\n\nThe words of page C.\n');
  const lines = [
    { id: '1', file: join(folder, 'a.html'), url: 'http://a.test/' },
    { id: '2', file: join(folder, 'none.html'), url: '' },
    { id: '3', file: join(folder, 'b.html.gz'), url: 'http://b.test/' },
    { id: '4', file: join(folder, 'c.md'), url: '' },
  ];
  writeFileSync(join(folder, 'list.jsonl'), [...lines.map((line) => JSON.stringify(line)), 'no json', ''].join('\n'));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('cli read', () => {
  it('[BR-09] one page is one object on stdout and nothing else', async () => {
    const { status, stdout, stderr } = await runCli(
      'read',
      '--file',
      join(folder, 'a.html'),
      '--url',
      'http://a.test/',
      '--json',
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(ReadPage.parse(JSON.parse(stdout))).toMatchObject({ title: 'Page A', text: 'A\n\nThe words of page A.' });
  });

  it('[BR-09] a batch keeps its order, reads packed files and goes on after a bad line', async () => {
    const { status, stdout } = await runCli('read', '--batch', join(folder, 'list.jsonl'), '--json');
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; text?: string; error?: string });
    expect(status).toBe(0);
    expect(records.map(({ id }) => id)).toEqual(['1', '2', '3', '4', 'line 5']);
    expect(records.map(({ text }) => text?.slice(-7))).toEqual(['page A.', undefined, 'page B.', 'page C.', undefined]);
    expect(records[1]?.error).toMatch(/^page\.unreadable: /u);
    expect(records[4]?.error).toBeDefined();
  });

  it('[BR-09] wrong usage is 2, a page or a list that cannot be read is 1', async () => {
    const runs = await Promise.all([
      runCli('read'),
      runCli('read', '--what'),
      runCli('nothing'),
      runCli('read', '--file', '/none', '--json'),
      runCli('read', '--batch', '/none'),
    ]);
    expect(runs.map(({ status }) => status)).toEqual([2, 2, 2, 1, 1]);
    expect(runs.map(({ stdout }) => stdout).join('')).toBe('');
    expect(runs.every(({ stderr }) => stderr.length > 10)).toBe(true);
  });
});
