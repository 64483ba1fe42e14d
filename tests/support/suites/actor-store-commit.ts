import { describe, expect, it } from 'vitest';
import { entryOf, mailOf, timerOf, transitionOf } from './store-builders.ts';
import { Corner, type StoreSubject } from './store-subject.ts';

export function registerCommitRules(subject: () => StoreSubject): void {
  const corner = (): Promise<Corner> => new Corner(subject()).take();

  describe('sequence, lease and fence', () => {
    it('[AS2] the first commit creates the actor, each later one needs the sequence it left', async () => {
      const at = await corner();
      const address = 'note/one';
      expect(await at.commit(at.entry({ address }))).toEqual(['committed']);
      expect(await at.commit(at.entry({ address }))).toEqual(['stale_sequence']);
      expect(await at.commit(at.entry({ address, expectedSeq: 2 }))).toEqual(['stale_sequence']);
      expect(await at.commit(at.entry({ address, expectedSeq: 1, snapshot: { value: 'busy' } }))).toEqual([
        'committed',
      ]);
      const [loaded] = await at.store.loadActors(at.project, [address]);
      expect(loaded?.row).toMatchObject({ seq: 2, epoch: at.epoch, shard: at.shard, snapshot: { value: 'busy' } });
    });

    it('[AS2] a commit under another epoch, or by another owner, lands nothing', async () => {
      const at = await corner();
      const address = 'note/one';
      await at.commit(at.entry({ address }));
      const next = at.entry({ address, expectedSeq: 1, published: [{ stream: 's', seq: 1, type: 't', data: null }] });
      expect(await at.store.commit('somebody', 'c', [next])).toEqual(['lost_lease']);
      expect(await at.commit({ ...next, epoch: at.epoch - 1 })).toEqual(['lost_lease']);
      expect(await at.commit({ ...next, epoch: at.epoch + 1 })).toEqual(['lost_lease']);
      expect(await at.seqOf(address)).toBe(1);
      expect(await at.store.readEvents(at.project, 's', 0, 10)).toEqual([]);
    });

    it('[AS1] a zombie batch lands only the part whose shard it still holds', async () => {
      const at = await corner();
      const lost = at.shard + 1;
      const before = await at.takeAs(at.worker, lost);
      await at.takeAs('successor', lost);
      const verdicts = await at.commit(
        at.entry({ address: 'note/kept' }),
        at.entry({
          address: 'note/lost',
          shard: lost,
          epoch: before,
          outgoing: [mailOf({ project: at.project, to: 'note/x', id: 'm' })],
        }),
      );
      expect(verdicts).toEqual(['committed', 'lost_lease']);
      expect(await at.store.loadActors(at.project, ['note/lost'])).toEqual([]);
      expect(
        (await at.store.loadMail([0], { total: 999, perActor: 99 })).filter((m) => m.envelope.project === at.project),
      ).toEqual([]);
    });

    it('[AS2] a required fence must exist, be open, and be at that very generation', async () => {
      const at = await corner();
      const scope = `${at.project}/fence`;
      const requiring = (address: string, generation: number) =>
        at.commit(at.entry({ address, requires: { scope, generation } }));
      expect(await requiring('note/a', 1)).toEqual(['fence_moved']);
      await at.commit(at.entry({ address: 'task/one', fencesSet: [{ scope, generation: 1, open: true }] }));
      expect(await requiring('note/a', 1)).toEqual(['committed']);
      expect(await requiring('note/b', 2)).toEqual(['fence_moved']);
      await at.commit(
        at.entry({ address: 'task/one', expectedSeq: 1, fencesSet: [{ scope, generation: 2, open: false }] }),
      );
      expect(await requiring('note/b', 1)).toEqual(['fence_moved']);
      expect(await requiring('note/b', 2)).toEqual(['fence_moved']);
      expect(await at.store.readFence(scope)).toEqual({ scope, generation: 2, open: false });
    });

    it('[AS2] a moved fence stops its own entry and no other of the batch', async () => {
      const at = await corner();
      const scope = `${at.project}/fence`;
      await at.commit(at.entry({ address: 'task/one', fencesSet: [{ scope, generation: 3, open: true }] }));
      const verdicts = await at.commit(
        at.entry({ address: 'note/a', requires: { scope, generation: 3 } }),
        at.entry({ address: 'note/b', requires: { scope, generation: 2 } }),
        at.entry({ address: 'note/c' }),
      );
      expect(verdicts).toEqual(['committed', 'fence_moved', 'committed']);
    });

    it('[AS2] a fence never goes back to a lower generation', async () => {
      const at = await corner();
      const scope = `${at.project}/fence`;
      const set = (expectedSeq: number, generation: number, open: boolean) =>
        at.commit(at.entry({ address: 'task/one', expectedSeq, fencesSet: [{ scope, generation, open }] }));
      await set(0, 5, true);
      expect(await set(1, 4, true)).toEqual(['committed']);
      expect(await at.store.readFence(scope)).toEqual({ scope, generation: 5, open: true });
      await set(2, 5, false);
      expect(await at.store.readFence(scope)).toEqual({ scope, generation: 5, open: false });
    });
  });

  describe('what lands with a commit', () => {
    it('[AS1] transitions, mail, timers, events and rows land together or not at all', async () => {
      const at = await corner();
      const { project } = at;
      const full = (address: string, expectedSeq: number) =>
        at.entry({
          address,
          expectedSeq,
          transitions: [transitionOf({ messageId: `${address} m`, reply: { answer: 42 } })],
          outgoing: [mailOf({ project, to: 'note/receiver', id: `${address}:1:0`, shard: at.shard })],
          timersSet: [timerOf({ timerId: 'grace' })],
          published: [{ stream: address, seq: 1, type: 'note.added', data: { n: 1 } }],
          writes: [{ table: 'answer', row: { id: address, answer: { text: address } } }],
        });
      expect(await at.commit(full('note/good', 0), full('note/bad', 7))).toEqual(['committed', 'stale_sequence']);
      const mail = await at.store.loadMail([at.shard], { total: 99, perActor: 99 });
      expect(mail.filter((row) => row.envelope.project === project).map((row) => row.envelope.messageId)).toEqual([
        'note/good:1:0',
      ]);
      expect(await at.store.readEvents(project, 'note/bad', 0, 9)).toEqual([]);
      expect(await at.store.readEvents(project, 'note/good', 0, 9)).toMatchObject([{ seq: 1, data: { n: 1 } }]);
      expect((await subject().readRows('answer', project)).map(({ id }) => id)).toEqual(['note/good']);
      expect(await at.store.findConsumed(project, 'note/good', 'note/good m')).toMatchObject({
        outcome: 'handled',
        seq: 1,
        reply: { answer: 42 },
      });
      expect(await at.store.findConsumed(project, 'note/bad', 'note/bad m')).toBeNull();
    });

    it('[AS1] rows of `ignore` tables keep their first content, rows of `replace` tables their last', async () => {
      const at = await corner();
      const evidence = (quote: string) => ({
        table: 'evidence',
        row: { id: 'evd_1', task_id: 'tsk_1', source_revision_id: 'srv_1', evidence: { quote } },
      });
      const answer = (text: string) => ({ table: 'answer', row: { id: 'tsk_1', answer: { text } } });
      await at.commit(
        at.entry({ address: 'task/one', writes: [evidence('first'), answer('first'), answer('second')] }),
      );
      await at.commit(at.entry({ address: 'task/one', expectedSeq: 1, writes: [evidence('later'), answer('third')] }));
      expect(await subject().readRows('evidence', at.project)).toMatchObject([{ evidence: { quote: 'first' } }]);
      expect(await subject().readRows('answer', at.project)).toMatchObject([
        { answer: { text: 'third' }, project: at.project },
      ]);
    });

    it('[AS1] text comes back as it went in: key order, Chinese, quotes, U+0000, lone surrogates', async () => {
      const at = await corner();
      const snapshot = { zebra: '中文 "quoted" \\ {a,b} NULL', alpha: ['\u0000', '\ud83d', '😀', '\n'], empty: null };
      expect(await at.commit(at.entry({ address: 'note/one', snapshot }))).toEqual(['committed']);
      const writes = [{ table: 'answer', row: { id: 'tsk_1', answer: snapshot } }];
      expect(await at.commit(at.entry({ address: 'note/one', expectedSeq: 1, snapshot, writes }))).toEqual([
        'committed',
      ]);
      const [row] = await subject().readRows('answer', at.project);
      expect(JSON.stringify(row?.['answer'])).toBe(JSON.stringify(snapshot));
      const [loaded] = await at.store.loadActors(at.project, ['note/one']);
      expect(JSON.stringify(loaded?.row.snapshot)).toBe(JSON.stringify(snapshot));
    });

    it('[AS1] quarantined output and dead letters are kept with their reason', async () => {
      const at = await corner();
      const envelope = { messageId: 'q1' };
      await at.commit(
        at.entry({
          address: 'note/one',
          quarantined: [{ messageId: 'q1', envelope, reason: 'fence moved' }],
          deadLetters: [{ messageId: 'd1', envelope, reason: 'poisoned' }],
        }),
      );
      expect(await subject().readSetAside('quarantine', at.project)).toEqual([
        { messageId: 'q1', reason: 'fence moved' },
      ]);
      expect(await subject().readSetAside('dead_letter', at.project)).toEqual([
        { messageId: 'd1', reason: 'poisoned' },
      ]);
    });

    it('[AS1] an empty call answers nothing', async () => {
      const at = await corner();
      expect(await at.commit()).toEqual([]);
    });

    it('[AS1] verdicts answer the entries in their order', async () => {
      const at = await corner();
      const entries = Array.from({ length: 64 }, (_, n) =>
        entryOf({
          project: at.project,
          shard: at.shard,
          epoch: at.epoch,
          address: `note/n${n}`,
          expectedSeq: n % 7 === 3 ? 9 : 0,
        }),
      );
      const expected = entries.map((entry) => (entry.expectedSeq === 9 ? 'stale_sequence' : 'committed'));
      expect(await at.commit(...entries)).toEqual(expected);
    });
  });
}
