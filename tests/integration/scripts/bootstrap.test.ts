import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const PROJECT = join(import.meta.dirname, '../../..');
const NOBODY = 65_534;

/** Records each call, then does what `npm ci` does as far as the bootstrap can see it. */
const FAKE_NPM = `
const fs = require('fs'), path = require('path');
fs.appendFileSync(path.join(process.cwd(), 'npm-calls.txt'), process.argv.slice(2).join(' ') + '\\n');
console.log('npm prints this');
setTimeout(() => {
  const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
  if (lock.refuse) process.exit(7);
  fs.mkdirSync('node_modules', { recursive: true });
  if (!fs.existsSync('node_modules/tsx')) fs.symlinkSync(process.env.REAL_TSX, 'node_modules/tsx');
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock));
}, 300);
`;

const ECHO = `
process.on('SIGTERM', () => { process.stdout.write('terminated\\n'); process.exit(9); });
process.stdout.write(JSON.stringify({ args: process.argv.slice(2), pid: process.pid }) + '\\n');
if (process.argv[2] === 'wait') setInterval(() => {}, 1000);
else process.exitCode = Number(process.argv[2]);
`;

type Ending = { readonly code: number | null; readonly out: string; readonly err: string };
type Run = { readonly child: ChildProcess; readonly ended: Promise<Ending>; readonly firstLine: Promise<string> };

let parent: string;
let root: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'bootstrap-'));
  await chmod(parent, 0o755);
  root = join(parent, 'a folder 云搜');
  await mkdir(join(root, 'scripts'), { recursive: true });
  await cp(join(PROJECT, 'scripts/bootstrap.mjs'), join(root, 'scripts/bootstrap.mjs'));
  await cp(join(PROJECT, 'scripts/bootstrap'), join(root, 'scripts/bootstrap'), { recursive: true });
  await writeFile(join(root, 'scripts/echo.ts'), ECHO);
  await writeFile(join(root, 'package.json'), '{"type": "module"}');
  await writeFile(join(root, 'package-lock.json'), '{"packages": {"": {}}}');
  await mkdir(join(parent, 'npm'));
  await writeFile(join(parent, 'npm/npm-cli.js'), FAKE_NPM);
});

afterEach(() => rm(parent, { recursive: true, force: true }));

async function installed(): Promise<void> {
  await mkdir(join(root, 'node_modules'));
  await symlink(join(PROJECT, 'node_modules/tsx'), join(root, 'node_modules/tsx'));
  await writeFile(join(root, 'node_modules/.package-lock.json'), '{"packages": {}}');
}

function start(args: readonly string[], options: { uid?: number; gid?: number } = {}): Run {
  const env = {
    ...process.env,
    npm_lifecycle_event: '',
    npm_execpath: join(parent, 'npm/npm-cli.js'),
    REAL_TSX: join(PROJECT, 'node_modules/tsx'),
  };
  const child = spawn(process.execPath, [join(root, 'scripts/bootstrap.mjs'), ...args], {
    cwd: parent,
    env,
    ...options,
  });
  let out = '';
  let err = '';
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (out.includes('\n')) resolve(out.split('\n')[0] ?? '');
    });
  });
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  return { child, ended, firstLine };
}

async function npmCalls(): Promise<string[]> {
  const text = await readFile(join(root, 'npm-calls.txt'), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

it('[BO1] an unknown command is one sentence', async () => {
  const { code, out, err } = await start(['no-such']).ended;
  expect([code, out, err.trim().split('\n').length]).toEqual([1, '', 1]);
  expect(err).toContain('There is no command "no-such"');
});

it('[BO1] a command name cannot leave the folder', async () => {
  expect((await start(['../scripts/echo']).ended).err).toContain('There is no command');
});

it('[BO1] packages missing in a folder that cannot be written is one sentence', async () => {
  const isRoot = process.getuid?.() === 0;
  await chmod(root, 0o555);
  const { code, err } = await start(['echo', '0'], isRoot ? { uid: NOBODY, gid: NOBODY } : {}).ended;
  await chmod(root, 0o755);
  expect([code, err.trim().split('\n').length]).toEqual([1, 1]);
  expect(err).toContain('cannot be written by this user');
});

it('[BO2] packages that answer to the lock file are not installed again, and the answer is remembered', async () => {
  await installed();
  expect((await start(['echo', '0']).ended).code).toBe(0);
  await rm(join(root, 'node_modules/.package-lock.json'));
  expect((await start(['echo', '0']).ended).code).toBe(0);
  expect(await npmCalls()).toEqual([]);
});

it('[BO2] a changed lock file is installed once', async () => {
  await installed();
  await start(['echo', '0']).ended;
  await writeFile(join(root, 'package-lock.json'), '{"packages": {"": {}, "node_modules/tsx": {"version": "9"}}}');
  expect((await start(['echo', '0']).ended).code).toBe(0);
  expect((await start(['echo', '0']).ended).code).toBe(0);
  expect(await npmCalls()).toEqual([expect.stringMatching(/^ci --include=dev /)]);
});

it('[BO2] a failed install is one sentence after what npm said, and is tried again next time', async () => {
  await writeFile(join(root, 'package-lock.json'), '{"packages": {"": {}}, "refuse": true}');
  const { code, err } = await start(['echo', '0']).ended;
  expect(code).toBe(1);
  expect(err).toContain('npm ci ended with 7');
  await start(['echo', '0']).ended;
  expect(await npmCalls()).toHaveLength(2);
});

it('[BO3] of two at once one installs and the other waits for it', async () => {
  const endings = await Promise.all([start(['echo', '0']).ended, start(['echo', '0']).ended]);
  expect(endings.map(({ code }) => code)).toEqual([0, 0]);
  expect(await npmCalls()).toHaveLength(1);
  expect(await readdir(root)).not.toContain('.install-lock');
});

it('[IL1] the lock of a dead owner is taken over', async () => {
  await mkdir(join(root, '.install-lock'));
  const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(dead, 'exit');
  const owner = { host: hostname(), processes: [{ pid: dead.pid, startedAt: '1' }] };
  await writeFile(join(root, '.install-lock/owner.json'), JSON.stringify(owner));
  expect((await start(['echo', '0']).ended).code).toBe(0);
  expect(await npmCalls()).toHaveLength(1);
});

it('[IL2] while the npm of a killed bootstrap still works, its lock holds', async () => {
  const first = start(['echo', '0']);
  await expect.poll(npmCalls, { timeout: 5000, interval: 20 }).toHaveLength(1);
  first.child.kill('SIGKILL');
  expect((await start(['echo', '0']).ended).code).toBe(0);
  expect(await npmCalls()).toHaveLength(1);
});

it('[BO4] arguments arrive unchanged and the exit code comes back', async () => {
  await installed();
  const { code, out } = await start(['echo', '5', 'two words', '--x=“引号”', '']).ended;
  expect(code).toBe(5);
  expect((JSON.parse(out) as { args: string[] }).args).toEqual(['5', 'two words', '--x=“引号”', '']);
});

it('[BO4] SIGTERM reaches the command, which ends in its own way', async () => {
  await installed();
  const run = start(['echo', 'wait']);
  await run.firstLine;
  run.child.kill('SIGTERM');
  const { code, out } = await run.ended;
  expect([code, out.includes('terminated')]).toEqual([9, true]);
});

it('[BO5] a command does not outlive a killed bootstrap', async () => {
  await installed();
  const run = start(['echo', 'wait']);
  const { pid } = JSON.parse(await run.firstLine) as { pid: number };
  expect(pid).not.toBe(run.child.pid);
  run.child.kill('SIGKILL');
  // The pipes close only when the command, which has inherited them, is gone too.
  expect((await run.ended).out).toContain('terminated');
  await expect.poll(() => isAlive(pid), { timeout: 5000, interval: 20 }).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('[BO6] what installing prints stays off standard output', async () => {
  const { out, err } = await start(['echo', '0']).ended;
  expect(out.trim().split('\n')).toHaveLength(1);
  expect(err).toContain('npm prints this');
});
