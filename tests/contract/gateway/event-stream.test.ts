import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TaskEvent } from '#contracts/actors/task.ts';
import type { OperationAccepted } from '#contracts/http/tasks.ts';
import { startGateway, type GatewayHarness, type ProblemBody } from '#tests/support/fakes/gateway-harness.ts';
import { SseReader } from '#tests/support/fakes/sse-reader.ts';

describe('the event stream of a task', () => {
  let host: GatewayHarness;
  let taskId: string;
  let readers: SseReader[];
  const path = () => `/api/v1/tasks/${taskId}/events`;
  const publish = (count: number) => {
    const actor = host.world.find('default', `task/${taskId}`);
    for (let i = 0; i < count; i++) actor?.publish('source.read', { url: `https://example.org/${i}` });
  };
  const read = async (headers: Record<string, string> = {}, query = '') => {
    const leave = new AbortController();
    const reader = new SseReader(await host.open(path() + query, { headers, signal: leave.signal }), leave);
    readers.push(reader);
    return reader;
  };

  beforeEach(async () => {
    readers = [];
    host = await startGateway();
    const body = { request_id: 'request-0001', text: 'question', mode: 'research' };
    taskId = (await host.call<OperationAccepted>('/api/v1/tasks', { method: 'POST', body })).body.task_id;
  });
  afterEach(async () => {
    readers.forEach((reader) => reader.leave());
    await host.close();
  });

  it('[AP-02] old events come first, then live ones, numbered without gaps and in the contract’s shape', async () => {
    publish(2);
    const reader = await read();
    await reader.take(3);
    publish(1);
    const events = [...reader.events, ...(await reader.take(1))].slice(0, 4);
    expect(events.map((one) => one.id)).toEqual([1, 2, 3, 4].map((seq) => `${taskId}:${seq}`));
    expect(events.map((one) => one.event)).toEqual(['task.created', 'source.read', 'source.read', 'source.read']);
    for (const one of events) expect(TaskEvent.parse(JSON.parse(one.data)).task_id).toBe(taskId);
    expect(JSON.parse(events[3]?.data ?? '')).toMatchObject({
      event_seq_no: '4',
      data: { url: 'https://example.org/0' },
    });
  });

  it.each(['Last-Event-ID', 'after'])(
    '[AP-02] a reader that comes back with %s misses and repeats nothing',
    async (how) => {
      publish(5);
      const first = await read();
      const seen = await first.take(3);
      first.leave();
      publish(2);
      const last = seen.at(-1)?.id ?? '';
      const second = how === 'after' ? await read({}, `?after=${last}`) : await read({ [how]: last });
      const rest = await second.take(5);
      expect([...seen, ...rest].map((one) => one.id)).toEqual(
        [1, 2, 3, 4, 5, 6, 7, 8].map((seq) => `${taskId}:${seq}`),
      );
    },
  );

  it('[AP-02] a cursor ahead of the truth is 410 and names the way back', async () => {
    const answer = await host.call<ProblemBody>(path(), { headers: { 'Last-Event-ID': `${taskId}:99` } });
    expect(answer).toMatchObject({ status: 410, body: { code: 'resource.gone', details: { event_seq: '1' } } });
    const { body } = await host.call<{ snapshot_event_seq: string }>(`/api/v1/tasks/${taskId}`);
    const reader = await read({ 'Last-Event-ID': `task:${body.snapshot_event_seq}` });
    publish(1);
    expect((await reader.take(1))[0]?.id).toBe(`${taskId}:2`);
  });

  it('[AP-02] a cursor whose next events were trimmed is 410, and the snapshot goes on', async () => {
    publish(4);
    host.world.trim('default', `task:${taskId}`, 3);
    const gone = await host.call<ProblemBody>(path());
    expect(gone).toMatchObject({ status: 410, body: { code: 'resource.gone', details: { event_seq: '5' } } });
    expect((await (await read({ 'Last-Event-ID': `${taskId}:3` })).take(2)).map((one) => one.id)).toEqual([
      `${taskId}:4`,
      `${taskId}:5`,
    ]);
    host.world.trim('default', `task:${taskId}`, 5);
    expect(await host.call(path(), { headers: { 'Last-Event-ID': `${taskId}:3` } })).toMatchObject({ status: 410 });
  });

  it.each(['tsk_another0000:1', 'nonsense', '-1', '1e3', `${'9'.repeat(400)}`])(
    '[AP-02] the cursor %s is refused',
    async (cursor) => {
      expect(await host.call(path(), { headers: { 'Last-Event-ID': cursor } })).toMatchObject({ status: 400 });
    },
  );

  it('[AP-02] a quiet stream sends a comment every 15 seconds', async () => {
    const reader = await read();
    await reader.take(1);
    host.clock.advance(45_000);
    await reader.untilComments(3);
    expect(reader.comments).toEqual(['alive', 'alive', 'alive']);
  });

  it('[AP-02] a reader that leaves is forgotten, and closing the server ends the others', async () => {
    const first = await read();
    await first.take(1);
    first.leave();
    await expect.poll(() => host.world.watcherCount()).toBe(0);
    const second = await read();
    await second.take(1);
    await host.gateway.close();
    await second.ended();
    expect(host.world.watcherCount()).toBe(0);
    expect(host.clock.waitingCount()).toBe(0);
  });
});
