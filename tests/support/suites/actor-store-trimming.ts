import { describe, expect, it } from 'vitest';
import { transitionOf } from './store-builders.ts';
import { Corner, type StoreSubject } from './store-subject.ts';

export function registerTrimmingRules(subject: () => StoreSubject): void {
  const filled = async (status: 'active' | 'done') => {
    const at = await new Corner(subject()).take();
    const plain = at.entry({
      address: 'note/one',
      transitions: [
        transitionOf({ messageId: 'asked', from: 'http', reply: { answer: 42 } }),
        transitionOf({ messageId: 'note/s:1:0', from: 'note/s', index: 1 }),
      ],
      published: [{ stream: 'note:one', seq: 1, type: 'note.added', data: null }],
    });
    await at.commit({ ...plain, next: { ...plain.next, status } });
    return at;
  };
  const log = async (at: Corner) => at.store.readTransitions(at.project, 'note/one', null, 99);
  const events = async (at: Corner) => at.store.readEvents(at.project, 'note:one', 0, 99);

  describe('trimming', () => {
    it('[AS10] old rows go; what answers a repeated message from outside stays', async () => {
      const at = await filled('done');
      const lease = { shard: at.shard, epoch: at.epoch };
      expect(await at.store.trim(at.worker, [lease], 3_600_000, 99)).toBe(0);
      expect(await at.store.trim(at.worker, [lease], 0, 99)).toBe(3);
      expect(await log(at)).toMatchObject([{ messageId: 'asked', detail: null, stateBefore: null }]);
      expect(await at.store.findConsumed(at.project, 'note/one', 'asked')).toMatchObject({ reply: { answer: 42 } });
      expect(await events(at)).toEqual([]);
      expect(await at.store.trim(at.worker, [lease], 0, 99)).toBe(0);
    });

    it('[AS10] the events of an actor that lives stay', async () => {
      const at = await filled('active');
      await at.store.trim(at.worker, [{ shard: at.shard, epoch: at.epoch }], 0, 99);
      expect(await events(at)).toHaveLength(1);
    });

    it('[AS10] [AS3] a worker that lost the shard trims nothing', async () => {
      const at = await filled('done');
      const lease = { shard: at.shard, epoch: at.epoch };
      await at.takeAs('successor');
      expect(await at.store.trim(at.worker, [lease], 0, 99)).toBe(0);
      expect(await at.store.trim('successor', [lease], 0, 99)).toBe(0);
      expect(await log(at)).toHaveLength(2);
    });
  });
}
