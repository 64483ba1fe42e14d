import { io, type Socket } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransitionSummary, TransitionView } from '#contracts/http/actors.ts';
import type { InspectionMessage } from '#contracts/sockets/protocol.ts';
import { InspectionMessage as MessageSchema } from '#contracts/sockets/protocol.ts';
import { API_TOKEN } from '#tests/support/fakes/gateway-harness.ts';
import { startInspectedPumps, type InspectedPumps } from '#tests/support/fakes/inspected-pumps.ts';

type Ack = { ok: boolean; problem?: { code: string } };

describe('inspection over sockets', () => {
  let pumps: InspectedPumps;
  let sockets: Socket[];

  const connect = (auth: object = {}) => {
    const socket = io(pumps.url, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      extraHeaders: { Authorization: `Bearer ${API_TOKEN}` },
      auth: { protocol: 1, ...auth },
    });
    sockets.push(socket);
    const messages: (InspectionMessage & { atMs: number })[] = [];
    socket.on('inspect', (message: InspectionMessage) => {
      messages.push({ ...MessageSchema.parse(message), atMs: performance.now() });
    });
    const subscribe = (stream: string, after = '0') =>
      socket.emitWithAck('subscribe', { stream, after }) as Promise<Ack>;
    return { socket, messages, subscribe };
  };
  const rowsOf = <Row extends TransitionView | TransitionSummary>(messages: readonly InspectionMessage[]) =>
    messages.flatMap(({ transitions }) => transitions) as Row[];
  const strokes = async (count: number): Promise<void> => {
    await Promise.all(Array.from({ length: count }, () => pumps.ask('a', { type: 'pump.stroke' })));
  };

  beforeEach(async () => {
    sockets = [];
    pumps = await startInspectedPumps();
    await pumps.create('a');
  });
  afterEach(async () => {
    sockets.forEach((socket) => socket.disconnect());
    await pumps.close();
  });

  it('[LT-05] the log of an actor comes whole and in order, old rows first, then live ones', async () => {
    await strokes(450);
    const { messages, subscribe } = connect();
    expect(await subscribe('actor:pump/a')).toEqual({ ok: true });
    await strokes(50);
    await expect.poll(() => rowsOf(messages).length).toBe(501);
    const rows = rowsOf<TransitionView>(messages);
    const stored = await pumps.store.readTransitions('default', 'pump/a', null, 1000);
    expect(rows.map(({ cursor }) => cursor)).toEqual(stored.map(({ seq, index }) => `${seq}.${index}`));
    expect(rows.at(-1)?.context).toEqual({ strokes: 500 });
    expect(messages.every(({ gap }) => gap === null)).toBe(true);
    // they may arrive in heaps on a busy machine, but never more of them than ten a second
    const elapsedMs = (messages.at(-1)?.atMs ?? 0) - (messages[0]?.atMs ?? 0);
    expect(messages.length).toBeLessThanOrEqual(elapsedMs / 100 + 3);
  });

  it('[LT-05] a reader that comes back with its cursor misses and repeats nothing', async () => {
    const first = connect();
    await first.subscribe('actor:pump/a');
    await strokes(3);
    await expect.poll(() => rowsOf(first.messages).length).toBe(4);
    first.socket.disconnect();
    await strokes(3);
    const second = connect();
    await second.subscribe('actor:pump/a', first.messages.at(-1)?.cursor);
    await expect.poll(() => rowsOf(second.messages).length).toBe(3);
    expect(rowsOf<TransitionView>(second.messages)[0]?.context).toEqual({ strokes: 4 });
  });

  it('[LT-05] all actors come as lines, and with a cursor what was missed', async () => {
    const first = connect();
    expect(await first.subscribe('inspector')).toEqual({ ok: true });
    await pumps.create('b');
    await pumps.create('c', 'other');
    await pumps.ask('b', { type: 'pump.rest' });
    await expect.poll(() => rowsOf(first.messages).length).toBe(2);
    expect(rowsOf<TransitionSummary>(first.messages)).toMatchObject([
      { actor: 'pump/b', event_type: 'runtime.create' },
      { actor: 'pump/b', event_type: 'pump.rest', state: 'resting', outcome: 'handled' },
    ]);
    first.socket.disconnect();
    await strokes(2);
    const second = connect();
    await second.subscribe('inspector', first.messages.at(-1)?.cursor);
    await expect
      .poll(() => rowsOf<TransitionSummary>(second.messages).filter((row) => row.event_type === 'pump.stroke').length)
      .toBe(2);
  });

  it('[LT-05] what is not there, or of another project, or ahead of the log is refused', async () => {
    const { subscribe } = connect();
    expect(await subscribe('actor:pump/none')).toMatchObject({ ok: false, problem: { code: 'resource.not_found' } });
    expect(await subscribe('actor:pump/a', '99.0')).toMatchObject({ ok: false, problem: { code: 'resource.gone' } });
    expect(await subscribe('actor:pump')).toMatchObject({ ok: false, problem: { code: 'request.invalid' } });
    const other = connect({ project: 'other' });
    expect(await other.subscribe('actor:pump/a')).toMatchObject({ ok: false, problem: { code: 'resource.not_found' } });
    await other.subscribe('inspector');
    await strokes(2);
    const own = connect();
    await own.subscribe('actor:pump/a');
    await expect.poll(() => rowsOf(own.messages).length).toBe(3);
    expect(other.messages).toEqual([]);
  });
});
