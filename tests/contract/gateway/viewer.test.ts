import { io, type Socket } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BrowserSessionList, FrameList, ViewerGrantView, ViewerTicketView } from '#contracts/http/viewer.ts';
import type { NewFrame } from '#contracts/ports/viewer.ts';
import type { FrameMessage, ViewEnd, ViewStateMessage } from '#contracts/sockets/protocol.ts';
import { API_TOKEN, startGateway, type GatewayHarness } from '#tests/support/fakes/gateway-harness.ts';
import type * as z from 'zod';

const API = '/api/v1';
const TASK = 'tsk_viewer-000001';
const KEY = { project: 'default', sessionId: 'ses_viewer-000001' };
const OPENED = { ...KEY, taskId: TASK, owner: 'work-item/wrk_1' };
const WINDOW = 'window-0001';

type Ack = { ok: boolean; problem?: { code: string } };

describe('looking on at browser sessions', () => {
  let host: GatewayHarness;
  let sockets: Socket[];

  const post = <T>(path: string, body: unknown, headers: Record<string, string> = {}) =>
    host.call<T>(API + path, { method: 'POST', ...(body === undefined ? {} : { body }), headers });
  const askTicket = async (sessionId = KEY.sessionId) =>
    (await post<ViewerTicketView>(`/browser-sessions/${sessionId}/viewer-tickets`, { client_id: WINDOW })).body.ticket;
  const exchange = (ticket: string, client_id = WINDOW, headers: Record<string, string> = {}) =>
    post<ViewerGrantView>('/viewer/exchange', { ticket, client_id }, headers);
  const askGrant = async (sessionId = KEY.sessionId) => (await exchange(await askTicket(sessionId))).body.grant_id;

  const connect = (
    auth: object = {},
    extraHeaders: Record<string, string> = { Authorization: `Bearer ${API_TOKEN}` },
  ) => {
    const socket = io(host.url, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      extraHeaders,
      auth: { protocol: 1, ...auth },
    });
    sockets.push(socket);
    const frames: FrameMessage[] = [];
    const states: string[] = [];
    const ends: ViewEnd[] = [];
    socket.on('frame', (frame: FrameMessage) => frames.push(frame));
    socket.on('view_state', ({ shown_session_id, state }: ViewStateMessage) =>
      states.push(`${shown_session_id} ${state}`),
    );
    socket.on('view_end', (end: ViewEnd) => ends.push(end));
    const send = (name: string, body: object) => socket.emitWithAck(name, body) as Promise<Ack>;
    const view = (grant_id: string, over: object = {}) =>
      send('view', { session_id: KEY.sessionId, grant_id, client_id: WINDOW, ...over });
    return { socket, frames, states, ends, send, view };
  };
  const addFrame = (over: Partial<NewFrame> = {}, sessionId = KEY.sessionId) =>
    host.viewer.addFrame(
      { ...KEY, sessionId },
      {
        capturedAtMs: host.clock.nowMs(),
        documentGeneration: 'g1',
        withheld: null,
        url: 'https://a.test/',
        title: 'A',
        width: 8,
        height: 6,
        bytes: new Uint8Array([1, 2, 3]),
        ageMs: 0,
        ...over,
      },
      30,
    );
  /** Seconds pass, and every look that is due is taken. */
  const pass = async (seconds: number, each: () => Promise<void> = async () => undefined) => {
    for (let second = 0; second < seconds; second += 1) {
      await each();
      host.clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const beat = () => host.viewer.beat([KEY]);

  beforeEach(async () => {
    sockets = [];
    host = await startGateway();
    await host.viewer.openSession(OPENED);
  });
  afterEach(async () => {
    sockets.forEach((socket) => socket.disconnect());
    await host.close();
  });

  it('[VW-01] sessions and pictures are listed by date; those of another project are not there', async () => {
    await addFrame();
    const list = `${API}/browser-sessions?task_id=${TASK}`;
    const { body } = await host.call<z.infer<typeof BrowserSessionList>>(list);
    expect(body.sessions).toMatchObject([
      { session_id: KEY.sessionId, task_id: TASK, state: 'open', ended_time: null },
    ]);
    const frames = `${API}/browser-sessions/${KEY.sessionId}/frames`;
    expect((await host.call<z.infer<typeof FrameList>>(frames)).body.frames).toMatchObject([
      { frame_id: '1', captured_time: new Date(host.clock.nowMs()).toISOString(), url: 'https://a.test/' },
    ]);
    const elsewhere = { headers: { 'X-Project-ID': 'other' } };
    expect((await host.call<z.infer<typeof BrowserSessionList>>(list, elsewhere)).body.sessions).toEqual([]);
    expect((await host.call(frames, elsewhere)).status).toBe(404);
    const ticket = `/browser-sessions/${KEY.sessionId}/viewer-tickets`;
    expect((await post(ticket, { client_id: WINDOW }, elsewhere.headers)).status).toBe(404);
    expect((await host.call(list, { as: 'stranger' })).status).toBe(401);
  });

  it('[VW-03] [VA1] a ticket works once, for a minute, for its window and project, and never in an address', async () => {
    const ticket = await askTicket();
    expect(ticket).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const inAddress = await host.call(`${API}/viewer/exchange?ticket=${ticket}&client_id=${WINDOW}`, {
      method: 'POST',
    });
    expect(inAddress.status).toBe(400);
    expect((await exchange(ticket, 'window-0002')).status).toBe(403);
    expect((await exchange(ticket, WINDOW, { 'X-Project-ID': 'other' })).status).toBe(403);
    expect(await exchange(ticket)).toMatchObject({ status: 201, body: { session_id: KEY.sessionId, scope: 'view' } });
    expect((await exchange(ticket)).status).toBe(403);
    const late = await askTicket();
    host.clock.advance(60_000);
    expect((await exchange(late)).status).toBe(403);
    expect((await exchange('A'.repeat(43))).status).toBe(403);
  });

  it('[VW-03] [VA2] tickets and grants of another subject are as good as none', async () => {
    const ticket = await askTicket();
    const grant = await askGrant();
    const signedIn = await host.call(host.gateway.issueSignInPath(), { as: 'stranger' });
    const headers = { Cookie: (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '', Origin: host.url };
    const asBrowser = (path: string, body?: unknown, method = 'POST') =>
      host.call(API + path, { as: 'stranger', method, headers, ...(body === undefined ? {} : { body }) });
    expect((await asBrowser('/viewer/exchange', { ticket, client_id: WINDOW })).status).toBe(403);
    expect((await asBrowser(`/viewer/grants/${grant}/renew`)).status).toBe(404);
    expect((await asBrowser(`/viewer/grants/${grant}`, undefined, 'DELETE')).status).toBe(404);
    expect(await connect({}, headers).view(grant)).toMatchObject({
      ok: false,
      problem: { code: 'resource.not_found' },
    });
    expect(await connect({ project: 'other' }).view(grant)).toMatchObject({ ok: false });
    expect(await connect().view(grant, { client_id: 'window-0002' })).toMatchObject({ ok: false });
    expect(await connect().view(grant, { session_id: 'ses_viewer-000009' })).toMatchObject({ ok: false });
    expect(await connect().view(grant)).toEqual({ ok: true });
  });

  it('[VW-03] signing out cuts what that browser looks at', async () => {
    const signedIn = await host.call(host.gateway.issueSignInPath(), { as: 'stranger' });
    const headers = { Cookie: (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '', Origin: host.url };
    const asBrowser = <T>(path: string, body?: unknown, method = 'POST') =>
      host.call<T>(API + path, { as: 'stranger', method, headers, ...(body === undefined ? {} : { body }) });
    const path = `/browser-sessions/${KEY.sessionId}/viewer-tickets`;
    const { ticket } = (await asBrowser<ViewerTicketView>(path, { client_id: WINDOW })).body;
    const { grant_id } = (await asBrowser<ViewerGrantView>('/viewer/exchange', { ticket, client_id: WINDOW })).body;
    const viewer = connect({}, headers);
    expect(await viewer.view(grant_id)).toEqual({ ok: true });
    expect((await asBrowser('/session', undefined, 'DELETE')).status).toBe(204);
    await pass(2);
    await expect.poll(() => viewer.ends).toEqual([{ session_id: KEY.sessionId, reason: 'revoked' }]);
  });

  it('[VW-03] [VI3] revoking or expiry cuts the look, renewing keeps it; the browser session goes on', async () => {
    const grant = await askGrant();
    const viewer = connect();
    await viewer.view(grant);
    host.clock.advance(14 * 60_000);
    expect(await post(`/viewer/grants/${grant}/renew`, undefined)).toMatchObject({ status: 200 });
    host.clock.advance(14 * 60_000);
    await pass(2);
    expect(viewer.ends).toEqual([]);
    expect((await host.call(`${API}/viewer/grants/${grant}`, { method: 'DELETE' })).status).toBe(204);
    await addFrame();
    await pass(2);
    await expect.poll(() => viewer.ends).toEqual([{ session_id: KEY.sessionId, reason: 'revoked' }]);
    expect(viewer.frames).toEqual([]);
    expect((await post(`/viewer/grants/${grant}/renew`, undefined)).status).toBe(404);
    expect((await host.viewer.session(KEY))?.endedAtMs).toBeNull();

    const second = connect();
    await second.view(await askGrant());
    host.clock.advance(15 * 60_000);
    await pass(2);
    await expect.poll(() => second.ends).toMatchObject([{ reason: 'expired' }]);
  });

  it('[VW-02] [VI2] a picture is live, then stale, disconnected and ended, by the clock', async () => {
    await addFrame();
    const viewer = connect();
    await viewer.view(await askGrant());
    await expect
      .poll(() => viewer.frames)
      .toMatchObject([
        { session_id: KEY.sessionId, frame_id: '1', stale: false, is_history: false, document_generation: 'g1' },
      ]);
    expect(viewer.frames[0]).toMatchObject({ captured_time: new Date(host.clock.nowMs()).toISOString() });
    expect([...new Uint8Array(viewer.frames[0]?.bytes as Uint8Array)]).toEqual([1, 2, 3]);
    await pass(8, beat);
    await expect.poll(() => viewer.states.at(-1)).toMatch(/stale$/);
    expect(host.viewerLink.stale).toBe(1);
    await addFrame();
    await pass(1, beat);
    await expect.poll(() => viewer.states.at(-1)).toMatch(/live$/);
    await pass(12);
    await expect.poll(() => viewer.states.at(-1)).toMatch(/disconnected$/);
    await host.viewer.endSession(KEY);
    await pass(2);
    await expect
      .poll(() => viewer.states.map((state) => state.split(' ')[1]))
      .toEqual(['live', 'stale', 'live', 'stale', 'disconnected', 'ended']);
    expect(viewer.frames).toHaveLength(2);
  });

  it('[VW-01] [VI4] looking asks for new pictures and changes nothing; after unview it asks no more', async () => {
    const before = await host.viewer.session(KEY);
    const viewer = connect();
    expect(await viewer.send('view_refresh', { session_id: KEY.sessionId })).toMatchObject({ ok: false });
    await viewer.view(await askGrant());
    await pass(4, beat);
    await expect.poll(() => host.viewerLink.wanted.length).toBeGreaterThan(1);
    const asked = host.viewerLink.wanted.length;
    expect(await viewer.send('view_refresh', { session_id: KEY.sessionId })).toEqual({ ok: true });
    expect(host.viewerLink.wanted.slice(asked)).toEqual([KEY.sessionId]);
    viewer.socket.emit('unview', { session_id: KEY.sessionId });
    await expect.poll(() => host.clock.waitingCount()).toBe(0);
    await beat();
    expect(await host.viewer.session(KEY)).toEqual({ ...before, sinceBeatMs: 0 });
    expect(host.world.actors.size).toBe(0);
  });

  it('[VW-02] the look goes on with the next session of the same work', async () => {
    await addFrame();
    const viewer = connect();
    await viewer.view(await askGrant());
    await expect.poll(() => viewer.frames.length).toBe(1);
    await host.viewer.endSession(KEY);
    const next = 'ses_viewer-000002';
    await host.viewer.openSession({ ...OPENED, sessionId: next });
    await addFrame({ documentGeneration: 'g9' }, next);
    await pass(2);
    await expect
      .poll(() => viewer.frames[1])
      .toMatchObject({
        session_id: KEY.sessionId,
        shown_session_id: next,
        document_generation: 'g9',
      });
    expect(host.viewerLink.wanted.at(-1)).toBe(next);
  });

  it('[VW-02] kept pictures of an ended session are shown as history, with their date', async () => {
    const capturedAtMs = host.clock.nowMs();
    await addFrame();
    await addFrame({ withheld: 'payment', bytes: null, url: '' });
    await host.viewer.endSession(KEY);
    await pass(5);
    const viewer = connect();
    await viewer.view(await askGrant());
    await expect.poll(() => viewer.frames).toMatchObject([{ frame_id: '2', is_history: true, withheld: 'payment' }]);
    expect(viewer.frames[0]?.bytes).toBeNull();
    expect(await viewer.send('view_frame', { session_id: KEY.sessionId, frame_id: '1' })).toEqual({ ok: true });
    await expect
      .poll(() => viewer.frames[1])
      .toMatchObject({
        frame_id: '1',
        is_history: true,
        stale: true,
        captured_time: new Date(capturedAtMs).toISOString(),
      });
    const missing = await viewer.send('view_frame', { session_id: KEY.sessionId, frame_id: '7' });
    expect(missing).toMatchObject({ ok: false, problem: { code: 'resource.not_found' } });
  });
});
