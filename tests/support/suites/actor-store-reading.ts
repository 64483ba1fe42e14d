import { describe, expect, it } from 'vitest';
import { entryOf, transitionOf } from './store-builders.ts';
import { Corner, type StoreSubject } from './store-subject.ts';

export function registerReadingRules(subject: () => StoreSubject): void {
  const corner = (): Promise<Corner> => new Corner(subject()).take();

  describe('reading', () => {
    it('[AS9] transitions come in order of their commits and positions, from a cursor', async () => {
      const at = await corner();
      const transitions = [
        transitionOf({ messageId: 'a' }),
        transitionOf({ messageId: 'b', index: 1, outcome: 'ignored' }),
      ];
      await at.commit(at.entry({ address: 'note/one', transitions }));
      await at.commit(
        at.entry({ address: 'note/one', expectedSeq: 1, transitions: [transitionOf({ messageId: 'c' })] }),
      );
      const rows = await at.store.readTransitions(at.project, 'note/one', null, 9);
      expect(rows.map(({ seq, index, messageId }) => `${seq}.${index} ${messageId}`)).toEqual([
        '1.0 a',
        '1.1 b',
        '2.0 c',
      ]);
      expect(rows[0]).toMatchObject({ ...transitions[0], defHash: 'def' });
      const next = await at.store.readTransitions(at.project, 'note/one', { seq: 1, index: 0 }, 9);
      expect(next.map(({ messageId }) => messageId)).toEqual(['b', 'c']);
      expect(await at.store.readTransitions(at.project, 'note/one', null, 2)).toHaveLength(2);
    });

    it('[AS9] actors are listed by kind, status and part of the address, page by page', async () => {
      const at = await corner();
      const make = (address: string, status: 'active' | 'done') => {
        const entry = at.entry({ address });
        return { ...entry, next: { ...entry.next, status } };
      };
      await at.commit(
        make('task/a', 'active'),
        make('task/b', 'done'),
        make('task-run/a', 'active'),
        make('note/x', 'active'),
      );
      const list = async (filter: object) =>
        (await at.store.listActors(at.project, { limit: 9, ...filter })).map(({ address }) => address);
      expect(await list({})).toEqual(['note/x', 'task-run/a', 'task/a', 'task/b']);
      expect(await list({ kind: 'task' })).toEqual(['task/a', 'task/b']);
      expect(await list({ kind: 'task', status: 'done' })).toEqual(['task/b']);
      expect(await list({ search: 'RUN' })).toEqual(['task-run/a']);
      expect(await list({ limit: 2 })).toEqual(['note/x', 'task-run/a']);
      expect(await list({ after: 'task-run/a' })).toEqual(['task/a', 'task/b']);
    });

    it('[AS9] one project sees nothing of another', async () => {
      const at = await corner();
      await at.commit(entryOf({ project: at.project, shard: at.shard, epoch: at.epoch, address: 'note/one' }));
      expect(await at.store.loadActors('elsewhere', ['note/one'])).toEqual([]);
      expect(await at.store.listActors('elsewhere', { limit: 9 })).toEqual([]);
    });

    it('[AS9] stream events are read from a cursor, in order', async () => {
      const at = await corner();
      const event = (seq: number) => ({ stream: 'note:one', seq, type: 'note.added', data: { seq } });
      await at.commit(at.entry({ address: 'note/one', published: [event(1), event(2), event(3)] }));
      const seqs = async (after: number, limit: number) =>
        (await at.store.readEvents(at.project, 'note:one', after, limit)).map(({ seq }) => seq);
      expect(await seqs(0, 9)).toEqual([1, 2, 3]);
      expect(await seqs(1, 1)).toEqual([2]);
    });
  });
}
