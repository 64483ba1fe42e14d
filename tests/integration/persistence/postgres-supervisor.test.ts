import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { PlatformError } from '#contracts/errors.ts';
import { locateBinaries } from '#runtime/main/postgres/binaries.ts';
import { openSocketFolder } from '#runtime/main/postgres/data-folder.ts';
import { chooseServerUser } from '#runtime/main/postgres/os-user.ts';
import { serverFlags } from '#runtime/main/postgres/server-flags.ts';
import { launchServer } from '#runtime/main/postgres/server-process.ts';
import { startPostgres, type RunningPostgres } from '#runtime/main/postgres/supervisor.ts';

const isRoot = process.getuid?.() === 0;
const running: RunningPostgres[] = [];
const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'yunsou-sup-'));
  folders.push(folder);
  return folder;
}

async function start(dataDir: string, more: object = {}): Promise<RunningPostgres> {
  const server = await startPostgres({ dataDir, durable: false, ...more });
  running.push(server);
  return server;
}

async function ask(server: RunningPostgres, sql: string): Promise<unknown> {
  const client = new pg.Client({ ...server.connection });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ value: unknown }>(sql);
    return rows[0]?.value;
  } finally {
    await client.end();
  }
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof PlatformError) return `${error.failure.code} ${error.failure.message}`;
    throw error;
  }
  return 'no failure';
}

/** A separate process that starts a server on `dataDir`, prints the server's pid and waits. */
async function startElsewhere(dataDir: string): Promise<{ kill: () => Promise<void>; serverPid: number; pid: number }> {
  const script = `import { startPostgres } from '#runtime/main/postgres/supervisor.ts';
    const s = await startPostgres({ dataDir: process.argv[1], durable: false });
    console.log('pid=' + s.pid()); setInterval(() => {}, 60000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const kill = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return { kill, serverPid: Number(line.trim().slice(4)), pid: child.pid ?? 0 };
}

const runs = (pid: number): boolean =>
  existsSync(`/proc/${pid}/exe`) || spawnSync('kill', ['-0', String(pid)]).status === 0;

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('supervisor of the npm-shipped PostgreSQL', () => {
  it('[PG1] keeps data over a stop and a start, in UTF-8 under C.UTF-8', async () => {
    const folder = newFolder();
    const first = await start(folder);
    await ask(first, `create table note as select '中文' as text`);
    await first.stop();
    const second = await start(folder);
    expect(await ask(second, 'select text as value from note')).toBe('中文');
    expect(await ask(second, `select current_setting('server_encoding') as value`)).toBe('UTF8');
    expect(await ask(second, 'select datcollate as value from pg_database where datname = current_database()')).toBe(
      'C.UTF-8',
    );
  });

  it('[PG2] refuses a second start on the folder while its owner lives, naming the pid', async () => {
    const folder = newFolder();
    await start(folder);
    expect(await failureOf(startPostgres({ dataDir: folder, durable: false }))).toMatch(
      new RegExp(`^config.invalid .*already in use by process ${process.pid}`),
    );
    const other = newFolder();
    const elsewhere = await startElsewhere(other);
    expect(await failureOf(startPostgres({ dataDir: other, durable: false }))).toContain(`process ${elsewhere.pid} `);
    await elsewhere.kill();
  });

  it('[PG3] the server dies with a killed owner, and the stale lock is recognised', async () => {
    const folder = newFolder();
    const elsewhere = await startElsewhere(folder);
    await elsewhere.kill();
    await expect.poll(() => runs(elsewhere.serverPid), { timeout: 10_000 }).toBe(false);
    const server = await start(folder);
    expect(await ask(server, 'select 1 as value')).toBe(1);
  });

  it('[PG4] a lock whose pid runs but started at another time is stale', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'owner.json'), JSON.stringify({ pid: process.ppid, startedAt: 'boot/1' }));
    const server = await start(folder);
    expect(await ask(server, 'select 1 as value')).toBe(1);
  });

  it('[PG5] stops an orphan of a dead owner before starting', async () => {
    const folder = newFolder();
    const first = await start(folder);
    await first.stop();
    const user = chooseServerUser();
    const socket = openSocketFolder(folder, user);
    const settings = serverFlags({ socketFolder: socket.path, durable: false, extra: [] });
    const args = ['-D', '/proc/self/cwd', '-p', '5432', ...settings];
    const orphan = await launchServer({
      binary: locateBinaries(user).postgres,
      args,
      cwd: join(folder, 'cluster'),
      user,
    });
    const second = await start(folder);
    await orphan.ended;
    socket.remove();
    expect(await ask(second, 'select 1 as value')).toBe(1);
  });

  it('[PG6] says in one sentence that the folder is not writable', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(await failureOf(startPostgres({ dataDir: join(folder, 'file', 'pg'), durable: false }))).toMatch(
      /^config.invalid The data folder .* is not writable/,
    );
  });

  it('[PG7] a path too long for a socket gets a short private folder, removed at stop', async () => {
    const folder = join(newFolder(), 'a'.repeat(60), 'b'.repeat(60));
    const server = await start(folder);
    const socket = server.connection.host;
    expect(socket.length).toBeLessThan(100);
    expect(await ask(server, 'select 1 as value')).toBe(1);
    await server.stop();
    expect(existsSync(socket)).toBe(false);
  });

  it('[PG8] works under a folder that only its owner may enter', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o700);
    mkdirSync(join(folder, 'inner'));
    const server = await start(join(folder, 'inner'));
    expect(await ask(server, 'select 1 as value')).toBe(1);
  });

  it.runIf(isRoot)('[PG8] works as a normal user', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o777);
    const script = `import { startPostgres } from '#runtime/main/postgres/supervisor.ts';
      const s = await startPostgres({ dataDir: process.argv[1], durable: false }); console.log('up ' + process.getuid()); await s.stop();`;
    const result = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script, join(folder, 'pg')],
      {
        uid: 65_534,
        gid: 65_534,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder },
      },
    );
    expect(result.stdout + result.stderr).toContain('up 65534');
  });

  it('[PG9] starts a crashed server again', async () => {
    let restarted: (again: boolean) => void = () => undefined;
    const told = new Promise<boolean>((resolve) => (restarted = resolve));
    const server = await start(newFolder(), {
      durable: true,
      onCrash: (_words: string, again: boolean) => restarted(again),
    });
    await ask(server, 'create table kept (id int)');
    process.kill(server.pid(), 'SIGKILL');
    expect(await told).toBe(true);
    expect(await ask(server, 'select count(*)::int as value from kept')).toBe(0);
  });
});
