import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROJECT_DIR = dirname(dirname(fileURLToPath(import.meta.url)));
const STAMP = '.inputs-sha256';

export type ClientBuild = { readonly dir: string; readonly built: boolean; readonly durationMs: number };

/**
 * Builds the client into `dist/client`, unless its inputs are those of the present build.
 * Built beside and moved into place: a reader sees the old files or the new ones, never half of them.
 */
export async function buildClient(): Promise<ClientBuild> {
  const started = performance.now();
  const dir = join(PROJECT_DIR, 'dist', 'client');
  const inputs = hashInputs();
  const stamp = join(dir, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) return { dir, built: false, durationMs: 0 };
  const fresh = `${dir}-${randomBytes(6).toString('hex')}`;
  try {
    await runVite(fresh);
    writeFileSync(join(fresh, STAMP), inputs);
    swap(fresh, dir);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return { dir, built: true, durationMs: Math.round(performance.now() - started) };
}

/** In a process of its own: the builder takes 150 MB, which a server that runs for weeks must not keep. */
async function runVite(outDir: string): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
  const args = ['build', join(PROJECT_DIR, 'client'), '--config', join(PROJECT_DIR, 'vite.config.ts')];
  await promisify(execFile)(process.execPath, [vite, ...args, '--outDir', outDir, '--logLevel', 'warn'], {
    cwd: PROJECT_DIR,
  });
}

function swap(fresh: string, dir: string): void {
  mkdirSync(dirname(dir), { recursive: true });
  const old = `${fresh}-old`;
  if (existsSync(dir)) renameSync(dir, old);
  renameSync(fresh, dir);
  rmSync(old, { recursive: true, force: true });
}

/** Everything that can change the result: the client's files, the build settings, the locked packages. */
function hashInputs(): string {
  const hash = createHash('sha256');
  const files = [
    ...filesUnder(join(PROJECT_DIR, 'client')),
    join(PROJECT_DIR, 'vite.config.ts'),
    join(PROJECT_DIR, 'package-lock.json'),
  ];
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`${relative(PROJECT_DIR, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

function filesUnder(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(dir, entry.name)) : [join(dir, entry.name)]));
}
