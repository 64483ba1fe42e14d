import { io, type Socket } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from '#contracts/http/system.ts';
import type { OperationAccepted } from '#contracts/http/tasks.ts';
import type { StreamEventMessage } from '#contracts/sockets/protocol.ts';
import { API_TOKEN, startGateway, type GatewayHarness } from '#tests/support/fakes/gateway-harness.ts';
import type * as z from 'zod';

type Ack = { ok: boolean; result?: unknown; problem?: z.infer<typeof Problem> };
type Refusal = Error & { data?: { code: string } };

describe('sockets', () => {
  let host: GatewayHarness;
  let taskId: string;
  let sockets: Socket[];
  const stream = () => `task:${taskId}`;

  const connect = (options: { headers?: Record<string, string>; auth?: object } = {}) => {
    const socket = io(host.url, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      extraHeaders: options.headers ?? { Authorization: `Bearer ${API_TOKEN}` },
      auth: { protocol: 1, ...options.auth },
    });
    sockets.push(socket);
    return socket;
  };
  const refusalOf = (socket: Socket) =>
    new Promise<Refusal | null>((resolve) => {
      socket.once('connect', () => resolve(null));
      socket.once('connect_error', (error) => resolve(error));
    });
  const send = (socket: Socket, name: string, body: unknown) => socket.emitWithAck(name, body) as Promise<Ack>;
  const publish = (from: number, count: number) => {
    const actor = host.world.find('default', `task/${taskId}`);
    for (let i = 0; i < count; i++) actor?.publish('source.read', { n: from + i });
  };
  const collect = (socket: Socket) => {
    const events: StreamEventMessage[] = [];
    socket.on('event', (event: StreamEventMessage) => events.push(event));
    return events;
  };
  const seqsOf = (events: readonly StreamEventMessage[]) => events.map((event) => Number(event.seq));
  const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

  beforeEach(async () => {
    sockets = [];
    host = await startGateway();
    const body = { request_id: 'request-0001', text: 'question', mode: 'research' };
    taskId = (await host.call<OperationAccepted>('/api/v1/tasks', { method: 'POST', body })).body.task_id;
  });
  afterEach(async () => {
    sockets.forEach((socket) => socket.disconnect());
    await host.close();
  });

  it('[AP-02] replays from the cursor, then goes on live, without gap or repetition', async () => {
    publish(2, 700);
    const socket = connect();
    const events = collect(socket);
    const subscribed = send(socket, 'subscribe', { stream: stream(), after: '10' });
    publish(702, 50);
    expect(await subscribed).toEqual({ ok: true });
    publish(752, 50);
    await expect.poll(() => events.length).toBe(791);
    expect(seqsOf(events)).toEqual(upTo(801, 11));
    expect(events[0]).toMatchObject({
      stream: stream(),
      type: 'source.read',
      data: { event_seq_no: '11', task_id: taskId },
    });
  });

  it('[AP-02] a reader that was cut comes back with its cursor and misses nothing', async () => {
    publish(2, 20);
    const first = connect();
    const seen = collect(first);
    await send(first, 'subscribe', { stream: stream(), after: '0' });
    await expect.poll(() => seen.length).toBe(21);
    first.io.engine.close();
    publish(22, 30);
    const second = connect();
    const rest = collect(second);
    await send(second, 'subscribe', { stream: stream(), after: seen.at(-1)?.seq ?? '' });
    await expect.poll(() => rest.length).toBe(30);
    expect(seqsOf([...seen, ...rest])).toEqual(upTo(51));
  });

  it('[AP-02] subscribing again moves the cursor and does not double the stream; unsubscribing ends it', async () => {
    const socket = connect();
    const events = collect(socket);
    await send(socket, 'subscribe', { stream: stream(), after: '0' });
    await send(socket, 'subscribe', { stream: stream(), after: '1' });
    await expect.poll(() => host.world.watcherCount()).toBe(1);
    publish(2, 3);
    await expect.poll(() => Math.max(0, ...seqsOf(events))).toBe(4);
    expect(seqsOf(events).filter((seq) => seq > 1)).toEqual([2, 3, 4]);
    socket.emit('unsubscribe', { stream: stream() });
    await expect.poll(() => host.world.watcherCount()).toBe(0);
  });

  it('[AP-02] a cursor ahead of the truth is answered by the present state', async () => {
    const socket = connect();
    const events = collect(socket);
    const resynced = new Promise((resolve) => socket.once('resync', resolve));
    await send(socket, 'subscribe', { stream: stream(), after: '500' });
    expect(await resynced).toMatchObject({ stream: stream(), seq: '1', snapshot: { task_id: taskId, event_seq: '1' } });
    publish(2, 1);
    await expect.poll(() => seqsOf(events)).toEqual([2]);
  });

  it('[AP-02] a cursor whose next events were trimmed is answered by the present state', async () => {
    publish(2, 9);
    host.world.trim('default', stream(), 5);
    const socket = connect();
    const resynced = new Promise((resolve) => socket.once('resync', resolve));
    await send(socket, 'subscribe', { stream: stream(), after: '2' });
    expect(await resynced).toMatchObject({ stream: stream(), seq: '10' });
  });

  it('[AP-02] a reader that does not keep up gets the present state instead of a growing queue', async () => {
    const socket = connect();
    const events = collect(socket);
    const resyncs: { seq: string }[] = [];
    socket.on('resync', (message: { seq: string }) => resyncs.push(message));
    await send(socket, 'subscribe', { stream: stream(), after: '1' });
    await expect.poll(() => host.world.watcherCount()).toBe(1);
    publish(2, 5_000);
    await expect.poll(() => resyncs.length).toBeGreaterThan(0);
    const before = events.length;
    expect(before).toBeLessThan(5_000);
    publish(5_002, 2);
    await expect.poll(() => Number(events.at(-1)?.seq)).toBe(5_003);
    const seqs = seqsOf(events);
    expect(seqs.every((seq, i) => i === 0 || seq > (seqs[i - 1] ?? 0))).toBe(true);
  });

  it('[AP-01] a command over the socket is the command over HTTP', async () => {
    const socket = connect();
    const command = { request_id: 'request-stop', command: 'task.stop', task_id: taskId };
    const stopped = await send(socket, 'command', command);
    expect(stopped).toMatchObject({ ok: true, result: { task_id: taskId, event_seq: '2' } });
    const path = `/api/v1/tasks/${taskId}/stop`;
    const again = await host.call(path, { method: 'POST', body: { request_id: 'request-stop' } });
    expect(again).toMatchObject({ status: 202, body: stopped.result });
    const late = await send(socket, 'command', { ...command, request_id: 'request-late' });
    expect(late).toMatchObject({ ok: false, problem: { status: 409, code: 'actor.ignored' } });
  });

  it('[SC-01] strangers, foreign origins, other protocols and unknown projects do not get in', async () => {
    const session = await host.call(host.gateway.issueSignInPath(), { as: 'stranger' });
    const cookie = (session.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const signedIn = { Cookie: cookie, Origin: host.url };
    expect(await refusalOf(connect({ headers: signedIn }))).toBeNull();
    const stranger = await refusalOf(connect({ headers: { Origin: host.url } }));
    expect(stranger?.data?.code).toBe('request.unauthenticated');
    for (const headers of [{ Cookie: cookie }, { Cookie: cookie, Origin: 'http://evil.example' }]) {
      expect(await refusalOf(connect({ headers }))).toBeInstanceOf(Error);
    }
    const old = await refusalOf(connect({ headers: signedIn, auth: { protocol: 0 } }));
    expect(old?.data?.code).toBe('request.invalid');
    const nowhere = await refusalOf(connect({ headers: signedIn, auth: { project: 'nowhere' } }));
    expect(nowhere?.data?.code).toBe('resource.not_found');
  });

  it('[AP-01] another project reads no stream and commands no task', async () => {
    const socket = connect({ auth: { project: 'other' } });
    const subscribed = await send(socket, 'subscribe', { stream: stream(), after: '0' });
    expect(subscribed).toMatchObject({ ok: false, problem: { code: 'resource.not_found' } });
    const command = { request_id: 'request-stop', command: 'task.stop', task_id: taskId };
    expect(await send(socket, 'command', command)).toMatchObject({ ok: false, problem: { status: 404 } });
  });

  it.each([
    ['subscribe', null],
    ['subscribe', { stream: 'task:../x', after: '0' }],
    ['subscribe', { stream: 'actor:task/x', after: '0' }],
    ['subscribe', { stream: 'task:tsk_unknown00', after: '-1' }],
    ['command', 'text'],
    ['command', { request_id: 'request-0009', command: 'task.explode', task_id: 'x' }],
    ['command', { request_id: 'request-0009', command: 'task.start', task_id: 'x' }],
    ['command', { request_id: 'request-0009', command: 'task.stop', task_id: 'x', body: { a: 'b\0' } }],
    ['command', { request_id: 'request-0009', command: 'task.stop', task_id: '../../x', body: {} }],
  ])('[AP-01] %s with %j is a problem, and the socket lives on', async (name, body) => {
    const socket = connect();
    expect(await send(socket, name, body)).toMatchObject({
      ok: false,
      problem: { code: expect.stringMatching(/^(request|resource)/) as string },
    });
    expect(await send(socket, 'subscribe', { stream: stream(), after: '0' })).toEqual({ ok: true });
  });

  it('[AP-02] a socket that goes leaves nothing behind', async () => {
    const socket = connect();
    await send(socket, 'subscribe', { stream: stream(), after: '0' });
    await expect.poll(() => host.world.watcherCount()).toBe(1);
    socket.disconnect();
    await expect.poll(() => host.world.watcherCount()).toBe(0);
  });
});
