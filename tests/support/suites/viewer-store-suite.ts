import { beforeEach, describe, expect, it } from 'vitest';
import type { NewFrame, ViewerBinding, ViewerStore } from '#contracts/ports/viewer.ts';

const NOW = 1_800_000_000_000;
const OWNER = { taskId: 'tsk_1', owner: 'work-item/wrk_1' };
const KEY = { project: 'p', sessionId: 'ses_1' };
const ME: ViewerBinding = { project: 'p', subject: 'me', clientId: 'window-1', scope: 'view' };

const frame = (over: Partial<NewFrame> = {}): NewFrame => ({
  capturedAtMs: NOW,
  documentGeneration: 'g1',
  withheld: null,
  url: 'https://a.test/',
  title: 'A\u0000 page',
  width: 800,
  height: 600,
  bytes: new Uint8Array([255, 216, 1]),
  ageMs: 0,
  ...over,
});

/** What every store of viewers must do. `open` gives an empty one. */
export function viewerStoreSuite(name: string, open: () => Promise<ViewerStore>): void {
  describe(`viewer store ${name}`, () => {
    let store: ViewerStore;
    const look = (seen: { sessionId: string; seq: number } | null = null, follow = true) =>
      store.look(KEY, { follow, seen });
    const ticket = (hash: string, expiresAtMs = NOW + 60_000) =>
      store.addTicket({ ...ME, sessionId: 'ses_1', hash, expiresAtMs });
    const exchange = (hash: string, by: Partial<ViewerBinding> = {}, nowMs = NOW, grantId = `vwg_${hash}`) =>
      store.exchange(hash, { ...ME, ...by }, { grantId, endsAtMs: NOW + 900_000 }, nowMs);

    beforeEach(async () => {
      store = await open();
      await store.openSession({ ...KEY, ...OWNER });
    });

    it('[VP1] a session ends once, beats no more, and is opened again by the same name', async () => {
      await store.beat([KEY]);
      expect(await store.session(KEY)).toMatchObject({ ...KEY, ...OWNER, endedAtMs: null });
      await store.endSession(KEY);
      const ended = (await store.session(KEY))?.endedAtMs;
      await store.endSession(KEY);
      await store.beat([KEY]);
      expect((await store.session(KEY))?.endedAtMs).toBe(ended);
      expect(ended).not.toBeNull();
      await store.openSession({ ...KEY, ...OWNER });
      expect(await store.session(KEY)).toMatchObject({ endedAtMs: null });
    });

    it('[VP1] a frame is as old as it was when it was stored, and a beat is young', async () => {
      await store.addFrame(KEY, frame({ ageMs: 60_000 }), 5);
      const seen = await look();
      expect(seen?.frame?.ageMs).toBeGreaterThanOrEqual(60_000);
      expect(seen?.session.sinceBeatMs).toBeLessThan(60_000);
    });

    it('[VP2] the newest frames are kept, with their numbers; bytes that the viewer has are not read again', async () => {
      for (const generation of ['g1', 'g2', 'g3'])
        await store.addFrame(KEY, frame({ documentGeneration: generation }), 2);
      expect((await store.frames(KEY, 9)).map(({ seq }) => seq)).toEqual([3, 2]);
      expect(await store.frame(KEY, 1)).toBeNull();
      expect([...((await store.frame(KEY, 2))?.bytes ?? [])]).toEqual([255, 216, 1]);
      expect(await look()).toMatchObject({ frame: { seq: 3, documentGeneration: 'g3', capturedAtMs: NOW } });
      expect([...((await look({ sessionId: 'ses_1', seq: 2 }))?.frame?.bytes ?? [])]).toEqual([255, 216, 1]);
      expect((await look({ sessionId: 'ses_1', seq: 3 }))?.frame?.bytes).toBeNull();
    });

    it('[VP2] a withheld frame has no bytes, also when it was given some', async () => {
      await store.addFrame(KEY, frame({ withheld: 'password' }), 5);
      expect((await look())?.frame).toMatchObject({ withheld: 'password', bytes: null });
      expect((await store.frame(KEY, 1))?.bytes).toBeNull();
    });

    it('[VW-02] the next session of the same work is shown when it is followed, no other', async () => {
      await store.openSession({ ...KEY, sessionId: 'ses_other', taskId: 'tsk_1', owner: 'work-item/wrk_2' });
      expect((await look())?.session.sessionId).toBe('ses_1');
      await store.openSession({ ...KEY, ...OWNER, sessionId: 'ses_2' });
      expect((await look())?.session.sessionId).toBe('ses_2');
      expect((await look(null, false))?.session.sessionId).toBe('ses_1');
      const listed = await store.sessionsOfTask('p', 'tsk_1', 2);
      expect(listed.map(({ sessionId }) => sessionId)).toEqual(['ses_2', 'ses_other']);
    });

    it('[VP3] a ticket is exchanged once, in time, by whom it was made for', async () => {
      await ticket('one');
      for (const wrong of [{ subject: 'you' }, { clientId: 'window-2' }, { project: 'q' }])
        expect(await exchange('one', wrong)).toBeNull();
      expect(await exchange('one', {}, NOW + 60_000)).toBeNull();
      expect(await exchange('never')).toBeNull();
      const both = await Promise.all([exchange('one', {}, NOW, 'vwg_a'), exchange('one', {}, NOW, 'vwg_b')]);
      expect(both.filter((grant) => grant !== null)).toMatchObject([{ sessionId: 'ses_1', ...ME }]);
      expect(await exchange('one')).toBeNull();
    });

    it('[VP4] a grant ends by time, by revocation or with its subject, and is not renewed then', async () => {
      await ticket('one');
      await exchange('one');
      expect(await store.grant('p', 'vwg_one', NOW)).toMatchObject({ subject: 'me', endsAtMs: NOW + 900_000 });
      expect(await store.renew('p', 'vwg_one', NOW + 1_000_000, NOW)).toMatchObject({ endsAtMs: NOW + 1_000_000 });
      expect(await store.grant('p', 'vwg_one', NOW + 1_000_000)).toBeNull();
      expect(await store.renew('p', 'vwg_one', NOW + 9_000_000, NOW + 1_000_000)).toBeNull();
      await store.revoke('q', 'vwg_one');
      expect(await store.grant('p', 'vwg_one', NOW)).not.toBeNull();
      await store.revoke('p', 'vwg_one');
      expect(await store.grant('p', 'vwg_one', NOW)).toBeNull();
      await ticket('two');
      await ticket('three');
      await exchange('two');
      await store.revokeSubject('me');
      expect([await store.grant('p', 'vwg_two', NOW), await exchange('three')]).toEqual([null, null]);
    });

    it('[VP5] nothing is found under the name of another project', async () => {
      await store.addFrame(KEY, frame(), 5);
      const other = { ...KEY, project: 'q' };
      expect([
        await store.session(other),
        await store.look(other, { follow: true, seen: null }),
        await store.frame(other, 1),
        await store.frames(other, 9),
        await store.sessionsOfTask('q', 'tsk_1', 9),
      ]).toEqual([null, null, null, [], []]);
      await store.endSession(other);
      await store.addFrame(other, frame(), 5);
      expect(await store.session(KEY)).toMatchObject({ endedAtMs: null });
      expect(await store.frames(KEY, 9)).toHaveLength(1);
    });

    it('[VP2] what is too old is forgotten', async () => {
      await store.addFrame(KEY, frame({ ageMs: 60_000 }), 5);
      await store.addFrame(KEY, frame(), 5);
      await store.trim(30_000);
      expect((await store.frames(KEY, 9)).map(({ seq }) => seq)).toEqual([2]);
      expect(await store.session(KEY)).not.toBeNull();
    });
  });
}
