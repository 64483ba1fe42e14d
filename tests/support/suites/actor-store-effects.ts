import { describe, expect, it } from 'vitest';
import type { EffectKey } from '#contracts/ports/actor-store.ts';
import { effectOf, mailOf, timerOf } from './store-builders.ts';
import { Corner, type StoreSubject } from './store-subject.ts';

export function registerEffectRules(subject: () => StoreSubject): void {
  const corner = (): Promise<Corner> => new Corner(subject()).take();
  const keyOf = (at: Corner, effectId = '1:0'): EffectKey => ({
    project: at.project,
    address: 'note/one',
    shard: at.shard,
    epoch: at.epoch,
    effectId,
  });
  const due = async (at: Corner, nowMs = 10_000): Promise<string[]> =>
    (await at.store.dueEffects([at.shard], nowMs, 99))
      .filter((row) => row.project === at.project)
      .map((row) => `${row.effect.effectId} ${row.effect.state} ${row.effect.attempt}`);

  describe('timers', () => {
    it('[AS8] timers are due by their time, can be armed again, and vanish with the commit that fires them', async () => {
      const at = await corner();
      const timersSet = [timerOf({ timerId: 'late', dueAtMs: 5_000 }), timerOf({ timerId: 'soon', dueAtMs: 1_000 })];
      await at.commit(at.entry({ address: 'note/one', timersSet }));
      const ids = async (nowMs: number) =>
        (await at.store.dueTimers([at.shard], nowMs, 9)).map(({ timer }) => timer.timerId);
      expect(await at.store.nextTimerDueAtMs([at.shard])).toBe(1_000);
      expect(await ids(999)).toEqual([]);
      expect(await ids(9_000)).toEqual(['soon', 'late']);
      const again = [timerOf({ timerId: 'soon', dueAtMs: 7_000, occurrence: 2 })];
      await at.commit(at.entry({ address: 'note/one', expectedSeq: 1, timersSet: again, timersDeleted: ['late'] }));
      const [loaded] = await at.store.loadActors(at.project, ['note/one']);
      expect(loaded?.timers).toEqual(again);
      await at.commit(at.entry({ address: 'note/one', expectedSeq: 2, timersDeleted: ['soon'] }));
      expect(await at.store.nextTimerDueAtMs([at.shard])).toBeNull();
    });

    it("[AS3] a zombie's commit deletes none of its successor's timers", async () => {
      const at = await corner();
      const timersSet = [timerOf({ timerId: 'grace' })];
      await at.commit(at.entry({ address: 'note/one', timersSet }));
      const zombie = at.entry({ address: 'note/one', expectedSeq: 1, timersDeleted: ['grace'] });
      const epoch = await at.takeAs('successor');
      expect(await at.commit(zombie)).toEqual(['lost_lease']);
      expect(await at.store.commit('successor', 'c', [{ ...zombie, epoch, timersDeleted: [] }])).toEqual(['committed']);
      expect(await at.commit({ ...zombie, expectedSeq: 2 })).toEqual(['lost_lease']);
      expect((await at.store.loadActors(at.project, ['note/one']))[0]?.timers).toEqual(timersSet);
    });
  });

  describe('effects', () => {
    it('[AS8] effects are due when their back-off passed, are dispatched once under an epoch, and complete into mail', async () => {
      const at = await corner();
      const effectsAdded = [effectOf({ effectId: '1:0', notBeforeMs: 500 })];
      await at.commit(at.entry({ address: 'note/one', effectsAdded }));
      expect(await due(at, 499)).toEqual([]);
      expect(await due(at)).toEqual(['1:0 pending 0']);
      expect(await at.store.dispatchEffect(at.worker, keyOf(at))).toBe('dispatched');
      expect(await due(at)).toEqual([]);
      expect(await at.store.dispatchEffect(at.worker, keyOf(at))).toBe('already_dispatched');
      const mail = mailOf({ project: at.project, to: 'note/one', id: 'effect:1:0', shard: at.shard });
      const result = { kind: 'done', output: 1 } as const;
      expect(await at.store.completeEffect('somebody', keyOf(at), result, mail)).toBe(false);
      expect(await at.store.completeEffect(at.worker, keyOf(at), result, mail)).toBe(true);
      expect(await at.store.completeEffect(at.worker, keyOf(at), result, mail)).toBe(false);
      const rows = await at.store.loadMail([at.shard], { total: 999, perActor: 99 });
      expect(rows.filter((row) => row.envelope.project === at.project)).toHaveLength(1);
      expect(await at.store.dispatchEffect(at.worker, keyOf(at))).toBe('gone');
    });

    it('[AS8] a retried effect waits for its back-off and keeps the count of its attempts', async () => {
      const at = await corner();
      await at.commit(at.entry({ address: 'note/one', effectsAdded: [effectOf({ effectId: '1:0' })] }));
      await at.store.dispatchEffect(at.worker, keyOf(at));
      expect(await at.store.retryEffect('somebody', keyOf(at), 900)).toBe(false);
      expect(await at.store.retryEffect(at.worker, keyOf(at), 900)).toBe(true);
      expect(await due(at, 899)).toEqual([]);
      expect(await due(at, 900)).toEqual(['1:0 pending 1']);
      expect(await at.store.dispatchEffect(at.worker, keyOf(at))).toBe('dispatched');
    });

    it.each([
      ['idempotent', 'dispatched'],
      ['once', 'already_dispatched'],
    ] as const)(
      '[AS8] after a takeover an %s effect left dispatched is found, and answers %s',
      async (kind, verdict) => {
        const at = await corner();
        const effectsAdded = [effectOf({ effectId: '1:0', class: kind })];
        await at.commit(at.entry({ address: 'note/one', effectsAdded }));
        await at.store.dispatchEffect(at.worker, keyOf(at));
        const epoch = await at.takeAs('successor');
        expect(await at.store.dispatchEffect(at.worker, keyOf(at))).toBe('lost_lease');
        expect(await due(at)).toEqual(['1:0 dispatched 1']);
        expect(await at.store.dispatchEffect('successor', { ...keyOf(at), epoch })).toBe(verdict);
      },
    );

    it('[AS2] an effect is dispatched only while its fence is open at its generation', async () => {
      const at = await corner();
      const fence = { scope: `${at.project}/fence`, generation: 1 };
      await at.commit(at.entry({ address: 'task/one', fencesSet: [{ ...fence, open: true }] }));
      const effectsAdded = [effectOf({ effectId: '1:0', fence }), effectOf({ effectId: '1:1', fence })];
      await at.commit(at.entry({ address: 'note/one', effectsAdded }));
      expect(await at.store.dispatchEffect(at.worker, keyOf(at))).toBe('dispatched');
      const close = { ...fence, generation: 2, open: false };
      await at.commit(at.entry({ address: 'task/one', expectedSeq: 1, fencesSet: [close] }));
      expect(await at.store.dispatchEffect(at.worker, keyOf(at, '1:1'))).toBe('fence_moved');
      expect((await at.store.loadActors(at.project, ['note/one']))[0]?.effects).toMatchObject([
        { effectId: '1:0', state: 'dispatched', attempt: 1, fence },
        { effectId: '1:1', state: 'pending', attempt: 0, fence },
      ]);
    });
  });
}
