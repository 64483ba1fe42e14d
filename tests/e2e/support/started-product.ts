import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PROJECT_DIR = dirname(dirname(dirname(import.meta.dirname)));
const START_LIMIT_MS = 100_000;
const STOP_LIMIT_MS = 30_000;

/** The product as `npm start` starts it: a process of its own, a new data folder, its own database and browser. */
export async function startProduct(): Promise<{ signInUrl(): string; close(): Promise<void> }> {
  const data = mkdtempSync(join(tmpdir(), 'yunsou-product-'));
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'scripts/start.ts', '--port', '0', '--data', join(data, 'data')],
    { cwd: PROJECT_DIR, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const address = await readAddress(child);
  return {
    signInUrl: () => address,
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await gone;
      clearTimeout(timer);
      await rm(data, { recursive: true, force: true });
    },
  };
}

function readAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let told = '';
    const fail = (why: string): void => reject(new Error(`${why}\n${told}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('the product printed no address in time');
    }, START_LIMIT_MS);
    const listen = (chunk: Buffer): void => {
      told += chunk.toString('utf8');
      const address = /http:\/\/\S+sign-in\S+/.exec(told)?.[0];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString('utf8')));
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`the product ended with code ${code}`);
    });
  });
}
