import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '#persistence/migrations/migrations.ts';
import { Installation } from '#tests/support/installation.ts';
import type { ProductProcess } from '#tests/support/product-process.ts';

const ANSWERED = ['completed', 'partial_failed'];
const ENDED = /^task\.(completed|partial_failed|failed|stopped)$/;
const QUESTIONS = [
  'How do I stop a running task?',
  '怎么停止一个正在运行的任务?',
  'What files are in a report package?',
];
const PATIENCE = { timeout: 30_000, interval: 100 };

const installation = new Installation();
const isOpen = await installation.open();
afterAll(() => installation.close(), 60_000);

describe.skipIf(!isOpen)('an installation of several processes (left out without the program nats-server)', () => {
  const [web, first, second, browser] = ['web', 'worker', 'worker', 'browser'].map((role) =>
    installation.process(role),
  ) as [ProductProcess, ProductProcess, ProductProcess, ProductProcess];

  beforeAll(async () => {
    await Promise.all([web, first, second, browser].map((one) => one.start()));
  }, 120_000);

  it('[RL-02] [PG10] four processes that start at once on an empty database find one schema', async () => {
    const names = await query<{ name: string }>('select name from schema_migration order by name');
    expect(names).toEqual(migrations.map(({ name }) => ({ name })));
    await expect.poll(helpIsIndexed, PATIENCE).toBe(true);
  }, 60_000);

  it('[RL-01] [PR3] [LS-07] each does its own part: two workers share the main shards, the browser has its own', async () => {
    await expect.poll(() => shardsOf(first, second), PATIENCE).toBe(224);
    expect(await shardsOf(browser)).toBe(32);
    expect(await first.ready()).not.toHaveProperty('browser');
    expect(await browser.ready()).toMatchObject({ ready: true, browser: { ok: true } });
    expect((await fetch(`${first.url}/api/v1/session`)).status).toBe(404);
    expect(childrenOf(first.pid).filter((name) => /chrom/.test(name))).toEqual([]);
    expect(childrenOf(browser.pid).filter((name) => /chrom/.test(name))).not.toEqual([]);
  });

  it('[RL-03] ready of the web names the pool that nobody serves, and is true again when somebody does', async () => {
    expect(await web.ready()).toMatchObject({
      ready: true,
      wire: { ok: true },
      workers: { detail: 'main: 2, browser: 1' },
    });
    await browser.stop();
    const isMissing = {
      ready: false,
      workers: { ok: false, detail: expect.stringContaining("pool 'browser'") as string },
    };
    await expect.poll(() => web.ready(), PATIENCE).toMatchObject(isMissing);
    await browser.start();
    await expect.poll(async () => (await web.ready()).ready, PATIENCE).toBe(true);
  }, 60_000);

  it('[RL-04] [LS-08] a rolling restart of all under running tasks loses nothing and sends nothing once a second time', async () => {
    const tasks: string[] = [];
    for (const one of [first, second, browser, web]) {
      tasks.push(await ask(tasks.length), await ask(tasks.length + 1));
      await expect
        .poll(() => web.api.task(tasks.at(-1) ?? '').then(({ status }) => status), PATIENCE)
        .not.toBe('queued');
      expect(await one.stop()).toBe(0);
      const other = one === first ? second : one === second ? first : null;
      if (other !== null) await expect.poll(() => shardsOf(other), PATIENCE).toBe(224);
      await one.start();
    }
    for (const task of tasks) {
      const numbers = await eventNumbers(task);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect(ANSWERED).toContain((await web.api.task(task)).status);
    }
    expect(sentOnce().length).toBeGreaterThan(tasks.length);
    expect(repeated(sentOnce())).toEqual([]);
    await expectNothingLeft();
  }, 120_000);

  it('[BS1] [FN-02] [TK-04] a stop reaches what runs in other processes', async () => {
    const task = await ask(1);
    await expect.poll(async () => runningEffects(browser), PATIENCE).toBeGreaterThan(0);
    await web.api.stop(task);
    expect(await outcome(task)).toBe('stopped');
    await expect.poll(() => runningEffects(browser), PATIENCE).toBe(0);
    await expectNothingLeft();
  }, 60_000);

  it('[RL-05] a NATS that is killed costs latency only, also for a process that starts meanwhile', async () => {
    const task = await ask(0);
    await installation.nats?.kill();
    await expect.poll(async () => (await web.ready())['wire']?.ok, PATIENCE).toBe(false);
    await first.stop();
    await first.start();
    expect(await first.ready()).toMatchObject({ ready: true, wire: { ok: false } });
    expect(ANSWERED).toContain(await outcome(task));
    await installation.restartNats();
    for (const one of [web, first, second, browser]) {
      await expect.poll(async () => (await one.ready())['wire']?.ok, PATIENCE).toBe(true);
    }
    expect(await outcome(await ask(2))).toBe('completed');
    await expectNothingLeft();
  }, 90_000);

  it('[VW-01] [PR3] what the browser’s process showed is found by the others, and has ended with its work', async () => {
    const open = 'select id from viewer_session where ended_at is null';
    await expect.poll(() => query(open), PATIENCE).toEqual([]);
    const [row] = await query<{ taken: number }>('select count(bytes)::int as taken from viewer_frame');
    expect(row?.taken).toBeGreaterThan(0);
  });

  it('[RL-06] [CM-03] while PostgreSQL is stopped no effect starts; it goes on by itself afterwards', async () => {
    const task = await ask(0);
    await expect.poll(() => web.api.task(task).then(({ status }) => status), PATIENCE).toBe('running');
    await installation.stopDatabase();
    await expect.poll(() => web.ready(), PATIENCE).toMatchObject({ ready: false, database: { ok: false } });
    const workers = [first, second, browser];
    const marks = workers.map((one) => one.log.length);
    // two beats that fail are beyond the deadline until which a worker may believe in its leases
    const failedBeats = (one: ProductProcess, mark: number) => linesOf(one, 'heartbeat failed', mark).length;
    await expect
      .poll(() => Math.min(...workers.map((one, i) => failedBeats(one, marks[i] ?? 0))), PATIENCE)
      .toBeGreaterThan(2);
    const started = workers.map((one) => linesOf(one, 'effect starts').length);
    await expect
      .poll(() => Math.min(...workers.map((one, i) => failedBeats(one, marks[i] ?? 0))), PATIENCE)
      .toBeGreaterThan(4);
    expect(workers.map((one) => linesOf(one, 'effect starts').length)).toEqual(started);
    await installation.startDatabase();
    expect(ANSWERED).toContain(await outcome(task));
    expect(await outcome(await ask(1))).toBe('completed');
    expect(repeated(sentOnce())).toEqual([]);
    await expectNothingLeft();
  }, 90_000);

  it('[LS-06] a start on actors that lie in other shards than this version computes is refused', async () => {
    await Promise.all([web, first, second, browser].map((one) => one.stop()));
    await query(`update actor set shard = (shard + 1) % 224 where address like 'task/%'`);
    await expect(first.start()).rejects.toThrow('ended with 1');
    expect(first.log.join()).toMatch(/written by a version that places actors in other shards: task\//);
  }, 60_000);

  async function ask(index: number): Promise<string> {
    const { conversation_id } = await web.api.createConversation();
    await web.api.postMessage(conversation_id, QUESTIONS[index % QUESTIONS.length] ?? '', 'quick_search');
    const { messages } = await web.api.conversation(conversation_id);
    return messages.at(-1)?.task_id ?? 'missing';
  }

  async function outcome(task: string): Promise<string> {
    await eventNumbers(task);
    return (await web.api.task(task)).status;
  }

  async function eventNumbers(task: string): Promise<number[]> {
    const numbers: number[] = [];
    for await (const event of web.api.events(task, '0')) {
      numbers.push(Number(event.event_seq_no));
      if (ENDED.test(event.event_type)) break;
    }
    return numbers;
  }

  async function helpIsIndexed(): Promise<boolean> {
    const { roots } = await web.api.library();
    return roots.find(({ kind }) => kind === 'help')?.state === 'ready';
  }

  const sentOnce = (): string[] =>
    [first, second, browser]
      .flatMap((one) => linesOf(one, 'effect starts'))
      .map((line) => JSON.parse(line) as { class: string; effectId: string })
      .filter((entry) => entry.class === 'once')
      .map(({ effectId }) => effectId);

  /** Everything that was begun has come to its end. */
  async function expectNothingLeft(): Promise<void> {
    await expect
      .poll(() => query('select address from effect union all select address from mailbox'), PATIENCE)
      .toEqual([]);
    expect(await query('select address, reason from dead_letter')).toEqual([]);
  }
});

const linesOf = (one: ProductProcess, message: string, from = 0): string[] =>
  one.log.slice(from).filter((line) => line.includes(`"${message}"`));

const repeated = (ids: readonly string[]): string[] => ids.filter((id, index) => ids.indexOf(id) !== index);

async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: installation.databaseUrl });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

async function shardsOf(...processes: readonly ProductProcess[]): Promise<number> {
  const counts = await Promise.all(processes.map((one) => gauge(one, 'shards')));
  return counts.reduce((sum, count) => sum + count, 0);
}

const runningEffects = (one: ProductProcess): Promise<number> => gauge(one, 'running_effects');

async function gauge({ url }: ProductProcess, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^yunsou_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** Names of the programs that run below a process. */
function childrenOf(pid: number): string[] {
  const all = readdirSync('/proc').flatMap((entry) => statusOf(entry) ?? []);
  const below = (parent: number): string[] =>
    all.filter(({ ppid }) => ppid === parent).flatMap(({ name, pid: own }) => [name, ...below(own)]);
  return below(pid);
}

function statusOf(entry: string): { pid: number; ppid: number; name: string } | null {
  try {
    const text = readFileSync(`/proc/${entry}/status`, 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1] ?? '';
    return { pid: Number(field('Pid')), ppid: Number(field('PPid')), name: field('Name') };
  } catch {
    // No process, or one that ended while it was looked at.
    return null;
  }
}
