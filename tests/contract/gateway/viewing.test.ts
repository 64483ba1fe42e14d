import { beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '#contracts/ports/logger.ts';
import type { NewFrame, ViewerGrant } from '#contracts/ports/viewer.ts';
import { Viewing } from '#gateway/sockets/viewing.ts';
import { MemoryViewerStore } from '#persistence/memory/viewer-store.ts';
import { ManualClock } from '#tests/support/fakes/manual-clock.ts';

const KEY = { project: 'default', sessionId: 'ses_slow-00001' };
const FRAME: NewFrame = {
  capturedAtMs: 0,
  documentGeneration: 'g1',
  withheld: null,
  url: '',
  title: '',
  width: 1,
  height: 1,
  bytes: new Uint8Array([1]),
  ageMs: 0,
};

describe('one look on one socket', () => {
  let clock: ManualClock;
  let store: MemoryViewerStore;
  let projects: string[];
  let writeBuffer: unknown[];
  let told: string[];
  let view: Viewing;

  const settle = async () => {
    for (let round = 0; round < 20; round += 1) await Promise.resolve();
  };
  const second = async () => {
    clock.advance(1_000);
    await settle();
  };

  beforeEach(async () => {
    clock = new ManualClock();
    store = new MemoryViewerStore(clock);
    projects = ['default'];
    writeBuffer = [];
    told = [];
    await store.openSession({ ...KEY, taskId: 'tsk_1', owner: 'work-item/wrk_1' });
    const binding = { project: 'default', subject: 'me', clientId: 'window-1', scope: 'view' } as const;
    await store.addTicket({ ...binding, sessionId: KEY.sessionId, hash: 'h', expiresAtMs: clock.nowMs() + 1 });
    const given = { grantId: 'vwg_1', endsAtMs: clock.nowMs() + 900_000 };
    const grant = (await store.exchange('h', binding, given, clock.nowMs())) as ViewerGrant;
    const gateway = {
      viewer: store,
      viewerLink: { want: () => undefined, countStale: () => undefined },
      access: { projects },
      clock,
      logger: silentLogger,
    };
    const emit = (name: string, { frame_id = '', state = '', reason = '' }: Record<string, string>) =>
      told.push(`${name} ${frame_id}${state}${reason}`);
    const socket = { data: { project: 'default', subject: 'me' }, conn: { writeBuffer }, emit };
    view = new Viewing(gateway as never, socket as never, grant, { follow: true, onEnd: () => told.push('left') });
  });

  it('[VI1] [VW-02] a slow reader gets the newest picture when it is free, and none of those it missed', async () => {
    await store.addFrame(KEY, FRAME, 30);
    view.start();
    await settle();
    writeBuffer.push('a picture that is not taken yet');
    for (let round = 0; round < 4; round += 1) {
      await store.addFrame(KEY, FRAME, 30);
      await second();
    }
    expect(told).toEqual(['view_state live', 'frame 1']);
    writeBuffer.pop();
    await second();
    expect(told.slice(2)).toEqual(['frame 5']);
    await second();
    expect(told).toHaveLength(3);
  });

  it('[VI3] [VW-03] the end of the project ends the look, and nothing follows', async () => {
    view.start();
    await settle();
    projects.pop();
    await second();
    expect(told).toEqual(['view_state live', 'view_end revoked', 'left']);
    await store.addFrame(KEY, FRAME, 30);
    await second();
    expect(told).toHaveLength(3);
    expect(clock.waitingCount()).toBe(0);
  });

  it('[VI3] a slow reader is cut too when its grant ends', async () => {
    view.start();
    await settle();
    writeBuffer.push('not taken');
    await store.revoke('default', 'vwg_1');
    await second();
    expect(told.at(-2)).toBe('view_end revoked');
  });

  it('[VW-02] when the store does not answer the look ends: an old picture must not pass for the present one', async () => {
    view.start();
    await settle();
    store.look = () => Promise.reject(new Error('no store'));
    await second();
    expect(told.slice(-2)).toEqual(['view_end failed', 'left']);
  });
});
