import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ViewerGrantView, ViewerTicketView } from '#contracts/http/viewer.ts';
import { silentLogger } from '#contracts/ports/logger.ts';
import type { FrameMessage } from '#contracts/sockets/protocol.ts';
import { MemoryViewerStore } from '#persistence/memory/viewer-store.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { systemClock } from '#runtime/main/system-time.ts';
import { ViewerFeed } from '#runtime/main/viewer-feed.ts';
import { createViewerLink } from '#runtime/main/viewer-link.ts';
import { API_TOKEN, startGateway, type GatewayHarness } from '#tests/support/fakes/gateway-harness.ts';
import { navigate, openBrowser, within } from '#tests/support/sites/browser-harness.ts';
import { openSite, type LocalSite } from '#tests/support/sites/local-site.ts';

const SESSION = 'ses_looking-0001';
const KEY = { project: 'default', sessionId: SESSION };
const CLIENT = 'window-0001';
const page = (body: string) => `<!doctype html><html lang="en"><title>Harbour</title><body>${body}</body></html>`;

describe('looking on at a real browser', () => {
  const bus = createMemoryBus();
  const store = new MemoryViewerStore(systemClock);
  const frames: FrameMessage[] = [];
  let site: LocalSite;
  let feed: ViewerFeed;
  let host: GatewayHarness;
  let socket: Socket;
  const hitsOf = () => site.hits.filter((hit) => hit !== 'CONNECTION');
  const send = (name: string, body: object = {}) => socket.emitWithAck(name, { session_id: SESSION, ...body });

  beforeAll(async () => {
    site = await openSite({
      '/calm': page('<h1>Gulls over the harbour</h1>'),
      '/login': page('<form><input type=password></form>'),
    });
    const browser = openBrowser({
      resolve: () => Promise.resolve(['127.0.0.1']),
      approvedDestinations: new Set([`site.test:${site.port}`]),
    });
    feed = new ViewerFeed({ browser, store, bus, clock: systemClock, logger: silentLogger });
    host = await startGateway({ viewer: store, viewerLink: createViewerLink(bus), clock: systemClock });
    await feed.openSession({ ...KEY, taskId: 'tsk_1', owner: 'work-item/wrk_1', locale: 'en' }, within());
  }, 120_000);
  afterAll(async () => {
    socket?.disconnect();
    await host?.close();
    await feed?.stop();
    await site?.close();
  });

  it('[VW-01] viewing, refreshing and leaving send no request to the site and end nothing', async () => {
    await navigate(feed, SESSION, `${site.origin()}/calm?token=secret`);
    const path = `/api/v1/browser-sessions/${SESSION}/viewer-tickets`;
    const body = { client_id: CLIENT };
    const { ticket } = (await host.call<ViewerTicketView>(path, { method: 'POST', body })).body;
    const asked = { method: 'POST', body: { ticket, ...body } };
    const { grant_id } = (await host.call<ViewerGrantView>('/api/v1/viewer/exchange', asked)).body;
    const before = hitsOf();
    expect(before).toContain('GET /calm?token=secret');
    const [generation] = (await store.frames(KEY, 1)).map((frame) => frame.documentGeneration);

    const headers = { Authorization: `Bearer ${API_TOKEN}` };
    socket = io(host.url, { transports: ['websocket'], extraHeaders: headers, auth: { protocol: 1 } });
    socket.on('frame', (frame: FrameMessage) => frames.push(frame));
    expect(await send('view', { grant_id, ...body })).toEqual({ ok: true });
    await expect.poll(() => frames.length).toBeGreaterThan(0);
    expect(await send('view_refresh')).toEqual({ ok: true });
    await expect.poll(() => frames.length).toBeGreaterThan(1);
    const [first, second] = frames;
    expect(first).toMatchObject({ url: `${site.origin()}/calm`, withheld: null, stale: false });
    expect([...new Uint8Array(first?.bytes as Uint8Array).subarray(0, 2)]).toEqual([0xff, 0xd8]);
    expect(Date.parse(second?.captured_time ?? '')).toBeGreaterThan(Date.parse(first?.captured_time ?? ''));
    if (generation !== undefined) expect(second?.document_generation).toBe(generation);
    expect(hitsOf()).toEqual(before);
    expect((await store.session(KEY))?.endedAtMs).toBeNull();
  });

  it('[VW-04] a page with a password gives its reason, and no bytes lie in the store', async () => {
    await navigate(feed, SESSION, `${site.origin()}/login`);
    await expect.poll(() => frames.at(-1)).toMatchObject({ withheld: 'password', bytes: null, url: '' });
    const { frame_id = '' } = frames.at(-1) ?? {};
    expect((await store.frame(KEY, Number(frame_id)))?.bytes).toBeNull();
    const before = hitsOf();
    socket.emit('unview', { session_id: SESSION });
    expect(await send('view_refresh')).toMatchObject({ ok: false });
    expect(hitsOf()).toEqual(before);
    // leaving was not ending: the session still works, until it is closed
    expect((await feed.observe(SESSION, within())).document_generation).not.toBe('');
    await feed.closeSession(SESSION);
    expect((await store.session(KEY))?.endedAtMs).not.toBeNull();
  });
});
