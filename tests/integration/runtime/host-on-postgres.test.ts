import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresActorStore, type PostgresActorStore } from '#persistence/stores/actor-store.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { createActorHost } from '#runtime/host/actor-host.ts';
import { systemClock, systemRandomness } from '#runtime/main/system-time.ts';
import { bossActor, jobActor } from '#tests/support/harness/sample-actors.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';

let database: TestDatabase;
let store: PostgresActorStore;
beforeAll(async () => {
  database = await createTestDatabase();
  store = createPostgresActorStore({ connection: database.connection });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

function createHost() {
  const ports = { pay: () => Promise.resolve({ receipt: 'r-1' }), fetch: () => new Promise(() => {}) };
  return createActorHost({
    workerId: 'w',
    store,
    bus: createMemoryBus(),
    definitions: [jobActor, bossActor],
    ports,
    clock: systemClock,
    randomness: systemRandomness,
    limits: { checks: true },
  });
}

let count = 0;
const message = (to: string, event: { type: string }) => {
  count += 1;
  return { project: 'p', from: 'http', to, event, messageId: `m${count}` };
};
const birth = (to: string, input: { name: string } | { id: string }) => ({
  ...message(to, { type: 'runtime.create' }),
  create: { input },
});

describe('a host on PostgreSQL', () => {
  it('[CM-01] [FX-02] [UP-01] creates, answers, runs an effect, and a new process goes on where the old one was killed', async () => {
    const host = createHost();
    await host.start();
    expect((await host.client.ask(birth('job/a', { name: 'a' }), 5000)).outcome).toBe('handled');
    await host.client.ask(message('job/a', { type: 'job.pay' }), 5000);
    await expect.poll(async () => (await host.client.view('p', 'job/a'))?.view).toMatchObject({ note: 'r-1' });
    await host.client.ask(message('job/a', { type: 'job.wait' }), 5000);
    host.abandon();
    const next = createHost();
    await next.start();
    expect(await next.client.view('p', 'job/a')).toMatchObject({ state: 'waiting', status: 'active' });
    expect((await next.client.ask(message('job/a', { type: 'job.cancel' }), 5000)).outcome).toBe('handled');
    await next.stop();
  });

  it('[FN-02] a fence that moves ends the children and tells the parent', async () => {
    const host = createHost();
    await host.start();
    await host.client.ask(birth('boss/b', { id: 'b' }), 5000);
    await host.client.ask(message('boss/b', { type: 'boss.start', children: ['c1', 'c2'] } as never), 5000);
    await host.client.ask(message('boss/b', { type: 'boss.stop' }), 5000);
    await expect
      .poll(async () => {
        const boss = await host.client.view('p', 'boss/b');
        return (boss?.view as { fenced: string[] } | undefined)?.fenced.toSorted();
      })
      .toEqual(['job/c1', 'job/c2']);
    expect((await host.client.view('p', 'job/c1'))?.status).toBe('fenced');
    await host.stop();
  });
});
