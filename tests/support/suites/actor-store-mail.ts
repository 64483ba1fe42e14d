import { describe, expect, it } from 'vitest';
import type { MailRow } from '#contracts/ports/actor-store.ts';
import { mailOf, transitionOf } from './store-builders.ts';
import { Corner, type StoreSubject } from './store-subject.ts';

const LIMITS = { total: 9_999, perActor: 9_999 };

export function registerMailRules(subject: () => StoreSubject): void {
  const corner = (): Promise<Corner> => new Corner(subject()).take();
  const load = async (at: Corner, limits = LIMITS): Promise<MailRow[]> =>
    (await at.store.loadMail([at.shard], limits)).filter((row) => row.envelope.project === at.project);
  const mailFor =
    (at: Corner) =>
    (id: string, more: object = {}) =>
      mailOf({ project: at.project, to: 'note/one', shard: at.shard, id, ...more });

  describe('mail', () => {
    it('[AS4] the same id is stored once: same content is a duplicate, other content a conflict', async () => {
      const at = await corner();
      const mail = mailFor(at);
      expect(await at.store.post([mail('a'), mail('a'), mail('b')])).toEqual(['stored', 'duplicate', 'stored']);
      expect(await at.store.post([mail('a'), mail('b', { hash: 'other' })])).toEqual(['duplicate', 'conflict']);
      expect(await at.store.post([mail('a', { to: 'note/two' })])).toEqual(['stored']);
      expect((await load(at)).map((row) => row.envelope.messageId)).toEqual(['a', 'b', 'a']);
    });

    it.each(['by mail id', 'by message id'])('[AS4] an id stays taken after it was consumed (%s)', async (way) => {
      const at = await corner();
      const mail = mailFor(at)('a');
      await at.store.post([mail]);
      const [row] = await load(at);
      const consumed = way === 'by mail id' ? { consumedMailIds: [row?.mailId ?? ''] } : { consumedMessageIds: ['a'] };
      const transitions = [transitionOf({ messageId: 'a', payloadHash: mail.payloadHash })];
      expect(await at.commit(at.entry({ address: 'note/one', transitions, ...consumed }))).toEqual(['committed']);
      expect(await load(at)).toEqual([]);
      expect(await at.store.post([mail, { ...mail, payloadHash: 'other' }])).toEqual(['duplicate', 'conflict']);
      const sender = at.entry({ address: 'note/sender', outgoing: [mail] });
      expect(await at.commit(sender)).toEqual(['committed']);
      expect(await load(at)).toEqual([]);
    });

    it('[AS4] sent again by a repeated step, a message is there once', async () => {
      const at = await corner();
      const mail = mailFor(at)('sender:1:0');
      await at.commit(at.entry({ address: 'note/s', outgoing: [mail, mail] }));
      await at.commit(at.entry({ address: 'note/s', expectedSeq: 1, outgoing: [mail] }));
      expect(await load(at)).toHaveLength(1);
    });

    it('[AS3] a commit deletes only mail of its own actor, and nothing when it does not land', async () => {
      const at = await corner();
      await at.store.post([mailFor(at)('a')]);
      const [row] = await load(at);
      const consumedMailIds = [row?.mailId ?? ''];
      await at.commit(at.entry({ address: 'note/other', consumedMailIds }));
      await at.commit(at.entry({ address: 'note/one', expectedSeq: 5, consumedMailIds, consumedMessageIds: ['a'] }));
      await at.commit(at.entry({ address: 'note/one', epoch: at.epoch + 1, consumedMailIds }));
      expect(await load(at)).toHaveLength(1);
    });

    it('[AS6] operator mail is read first, then mail in order of arrival', async () => {
      const at = await corner();
      const mail = mailFor(at);
      await at.store.post([mail('n1'), mail('n2', { to: 'note/two' }), mail('o1', { priority: 'operator' })]);
      await at.store.post([mail('n3'), mail('o2', { priority: 'operator', to: 'note/two' })]);
      expect((await load(at)).map((row) => row.envelope.messageId)).toEqual(['o1', 'o2', 'n1', 'n2', 'n3']);
    });

    it('[AS6] one receiver takes at most its share of a read, however long its queue', async () => {
      const at = await corner();
      const mail = mailFor(at);
      await at.store.post(Array.from({ length: 300 }, (_, n) => mail(`hot${n}`)));
      await at.store.post([mail('cold', { to: 'note/two' })]);
      const rows = await load(at, { total: 50, perActor: 4 });
      expect(rows.map((row) => row.envelope.messageId)).toEqual(['hot0', 'hot1', 'hot2', 'hot3', 'cold']);
      expect(await load(at, { total: 3, perActor: 4 })).toHaveLength(3);
    });

    it('[AS7] a full mailbox refuses more, also inside one call; duplicates are still recognised, a stop still fits', async () => {
      const at = await corner();
      const mail = mailFor(at);
      await at.store.post(Array.from({ length: 4_095 }, (_, n) => mail(`m${n}`)));
      expect(await at.store.post([mail('x'), mail('y'), mail('m7')])).toEqual(['stored', 'mailbox_full', 'duplicate']);
      expect(await at.store.post([mail('z')])).toEqual(['mailbox_full']);
      expect(await at.store.post([mail('other', { to: 'note/two' })])).toEqual(['stored']);
      expect(await at.store.post([mail('stop', { priority: 'operator' })])).toEqual(['stored']);
      const sent = at.entry({ address: 'note/sender', outgoing: [mail('between actors')] });
      expect(await at.commit(sent)).toEqual(['committed']);
      expect(await at.store.post([mail('between actors')])).toEqual(['duplicate']);
    });

    it('[AS6] attempts are counted on the row', async () => {
      const at = await corner();
      await at.store.post([mailFor(at)('a')]);
      const [row] = await load(at);
      expect(await at.store.countAttempt(row?.mailId ?? '')).toBe(1);
      expect(await at.store.countAttempt(row?.mailId ?? '')).toBe(2);
      expect((await load(at))[0]?.attempts).toBe(2);
    });

    it('[AS3] [AS4] mail nobody can consume is set aside under the lease, and its id stays taken', async () => {
      const at = await corner();
      const mail = mailFor(at)('a');
      await at.store.post([mail]);
      const mailId = (await load(at))[0]?.mailId ?? '';
      const lease = { shard: at.shard, epoch: at.epoch };
      expect(await at.store.setAsideMail('somebody', lease, mailId, 'why')).toBe(false);
      expect(await at.store.setAsideMail(at.worker, lease, mailId, 'no such kind')).toBe(true);
      expect(await load(at)).toEqual([]);
      expect(await subject().readSetAside('dead_letter', at.project)).toEqual([
        { messageId: 'a', reason: 'no such kind' },
      ]);
      expect(await at.store.post([mail, { ...mail, payloadHash: 'other' }])).toEqual(['duplicate', 'conflict']);
      expect(await at.store.findConsumed(at.project, 'note/one', 'a')).toBeNull();
    });
  });
}
