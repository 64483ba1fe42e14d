import { beforeEach, describe, expect, it } from 'vitest';
import type { BrowserPort, CapturedFrame } from '#contracts/ports/browser.ts';
import { silentLogger } from '#contracts/ports/logger.ts';
import { MemoryViewerStore } from '#persistence/memory/viewer-store.ts';
import type { Bus } from '#contracts/ports/bus.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { ViewerFeed } from '#runtime/main/viewer-feed.ts';
import { createViewerLink } from '#runtime/main/viewer-link.ts';
import { ManualClock } from '#tests/support/fakes/manual-clock.ts';
import { page, PageWorld } from '#tests/support/fakes/page-world.ts';

const KEY = { project: 'p', sessionId: 'ses_1' };
const REQUEST = { ...KEY, taskId: 'tsk_1', owner: 'work-item/wrk_1', locale: 'en' };
const ACTION = { kind: 'navigate', actionId: 'a1', url: 'https://a.test/' } as const;
const signal = new AbortController().signal;

const picture = (over: Partial<CapturedFrame & { kind: 'frame' }> = {}): CapturedFrame => ({
  kind: 'frame',
  sessionId: 'ses_1',
  documentGeneration: 'g1',
  capturedAtMs: 0,
  url: 'https://user:pass@a.test/page?token=secret#part',
  title: 'A',
  mediaType: 'image/jpeg',
  width: 8,
  height: 6,
  bytes: new Uint8Array([1, 2]),
  ...over,
});

describe('viewer feed', () => {
  let clock: ManualClock;
  let store: MemoryViewerStore;
  let world: PageWorld;
  let feed: ViewerFeed;
  let captures: number;
  let capture: () => Promise<CapturedFrame | null>;
  let bus: Bus;
  const link = () => createViewerLink(bus);

  const frames = () => store.frames(KEY, 99);
  const settle = async () => {
    for (let round = 0; round < 20; round += 1) await Promise.resolve();
  };

  beforeEach(async () => {
    clock = new ManualClock();
    bus = createMemoryBus();
    store = new MemoryViewerStore(clock);
    world = new PageWorld();
    world.add(ACTION.url, page('A', '<p>words of a page</p>'));
    captures = 0;
    capture = () => Promise.resolve(picture({ capturedAtMs: clock.nowMs() }));
    const browser: BrowserPort = { ...world.browser, captureFrame: () => ((captures += 1), capture()) };
    feed = new ViewerFeed({ browser, store, bus, clock, logger: silentLogger });
    await feed.openSession(REQUEST, signal);
  });

  it('[VF1] [VW-02] a picture after an action, and one when somebody wants it, 500 ms apart', async () => {
    await feed.navigate('ses_1', ACTION, signal);
    await settle();
    expect(await frames()).toMatchObject([{ seq: 1, documentGeneration: 'g1', capturedAtMs: clock.nowMs() }]);
    for (let time = 0; time < 5; time += 1) link().want('ses_1');
    await settle();
    expect(captures).toBe(1);
    clock.advance(499);
    await settle();
    expect(captures).toBe(1);
    clock.advance(1);
    await settle();
    expect(captures).toBe(2);
    link().want('nobody');
    clock.advance(5_000);
    await settle();
    expect(captures).toBe(2);
  });

  it('[VF1] pictures are taken one at a time', async () => {
    let give: (frame: CapturedFrame) => void = () => undefined;
    capture = () => new Promise((resolve) => (give = resolve));
    await feed.navigate('ses_1', ACTION, signal);
    link().want('ses_1');
    await settle();
    clock.advance(2_000);
    await settle();
    expect(captures).toBe(1);
    give(picture());
    await settle();
    expect(captures).toBe(2);
  });

  it('[VF3] the address is kept without user, query and fragment', async () => {
    await feed.navigate('ses_1', ACTION, signal);
    await settle();
    expect((await frames())[0]?.url).toBe('https://a.test/page');
  });

  it('[VW-04] a withheld page leaves its reason and no bytes, a huge picture none either', async () => {
    const { sessionId, documentGeneration, capturedAtMs } = picture();
    capture = () =>
      Promise.resolve({ kind: 'withheld', sessionId, documentGeneration, capturedAtMs, reason: 'password' });
    await feed.navigate('ses_1', ACTION, signal);
    await settle();
    capture = () => Promise.resolve(picture({ bytes: new Uint8Array(2_000_000) }));
    clock.advance(1_000);
    link().want('ses_1');
    await settle();
    expect(await frames()).toMatchObject([
      { withheld: 'unanswered', url: '' },
      { withheld: 'password', url: '', title: '' },
    ]);
    for (const seq of [1, 2]) expect((await store.frame(KEY, seq))?.bytes).toBeNull();
  });

  it('[VW-02] an open session beats, a closed one has ended and takes no more pictures', async () => {
    clock.advance(3_000);
    await settle();
    clock.advance(1_000);
    expect((await store.session(KEY))?.sinceBeatMs).toBe(1_000);
    await feed.closeSession('ses_1');
    expect((await store.session(KEY))?.endedAtMs).toBe(clock.nowMs());
    link().want('ses_1');
    await settle();
    expect(captures).toBe(0);
  });

  it('[VF2] closing waits a second at most for a picture under way; a stop of the task does not wait', async () => {
    let give: (frame: CapturedFrame) => void = () => undefined;
    capture = () => new Promise((resolve) => (give = resolve));
    await feed.navigate('ses_1', ACTION, signal);
    let isClosed = false;
    const closed = feed.closeSession('ses_1').then(() => (isClosed = true));
    await settle();
    expect([isClosed, world.open.size]).toEqual([false, 1]);
    clock.advance(1_000);
    await closed;
    give(picture());
    await settle();
    expect([world.open.size, (await frames()).length]).toEqual([0, 0]);

    await feed.openSession(REQUEST, signal);
    await feed.navigate('ses_1', ACTION, signal);
    await feed.closeTask('tsk_1');
    expect([world.closedTasks, (await store.session(KEY))?.endedAtMs]).toEqual([['tsk_1'], clock.nowMs()]);
  });

  it('[VF2] a store that fails disturbs no action', async () => {
    store.addFrame = () => Promise.reject(new Error('no store'));
    store.endSession = () => Promise.reject(new Error('no store'));
    store.beat = () => Promise.reject(new Error('no store'));
    await feed.navigate('ses_1', ACTION, signal);
    clock.advance(9_000);
    await settle();
    expect((await feed.read('ses_1', { kind: 'read', actionId: 'a2', documentGeneration: 'g1' }, signal)).outcome).toBe(
      'confirmed',
    );
    await feed.closeSession('ses_1');
    expect(world.open.size).toBe(0);
  });
});
