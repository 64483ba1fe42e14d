import { describe, expect, it } from 'vitest';
import { Corner, type StoreSubject } from './store-subject.ts';

const ALIVE_MS = 60_000;

export function registerLeaseRules(subject: () => StoreSubject): void {
  describe('leases', () => {
    it('[AS5] a worker is live by the beats the store saw, whatever its own clock says', async () => {
      const { store, worker } = new Corner(subject());
      const poolsOf = async (aliveMs: number) =>
        (await store.liveWorkers(aliveMs)).find(({ id }) => id === worker)?.pools ?? null;
      expect(await poolsOf(ALIVE_MS)).toBeNull();
      await store.beat(worker, ['main', 'browser']);
      expect(await poolsOf(ALIVE_MS)).toEqual(['main', 'browser']);
      expect(await poolsOf(0)).toBeNull();
      await store.beat(worker, []);
      expect(await poolsOf(ALIVE_MS)).toEqual([]);
    });

    it('[AS5] a shard is taken from a dead owner, never from a live one; each taking raises the epoch by one', async () => {
      const { store, worker } = new Corner(subject());
      const other = `${worker}-other`;
      const shard = 250;
      await store.beat(worker, ['main']);
      const [first] = await store.acquireShards(worker, [shard], ALIVE_MS);
      expect(await store.acquireShards(other, [shard], ALIVE_MS)).toEqual([]);
      expect(await store.acquireShards(worker, [shard], ALIVE_MS)).toEqual([{ shard, epoch: (first?.epoch ?? 0) + 1 }]);
      expect(await store.acquireShards(other, [shard], 0)).toEqual([{ shard, epoch: (first?.epoch ?? 0) + 2 }]);
      expect((await store.leases())[shard]).toEqual({ shard, epoch: (first?.epoch ?? 0) + 2, owner: other });
    });

    it('[AS5] a released shard is free at once; releasing an older lease does nothing', async () => {
      const { store, worker } = new Corner(subject());
      const shard = 251;
      const [old] = await store.acquireShards(worker, [shard], 0);
      const [held] = await store.acquireShards(worker, [shard], 0);
      await store.beat(worker, ['main']);
      await store.releaseShards(worker, [old ?? { shard, epoch: 0 }]);
      expect((await store.leases())[shard]?.owner).toBe(worker);
      await store.releaseShards(worker, [held ?? { shard, epoch: 0 }]);
      expect((await store.leases())[shard]).toEqual({ shard, epoch: held?.epoch, owner: null });
      expect(await store.acquireShards('next', [shard], ALIVE_MS)).toHaveLength(1);
    });

    it('[AS5] there are 256 shards', async () => {
      expect((await subject().store.leases()).map(({ shard }) => shard)).toEqual(
        Array.from({ length: 256 }, (_, n) => n),
      );
    });
  });
}
