import { describe, expect, it } from 'vitest';
import type { MailRow, OutgoingMessage, PostVerdict } from '#contracts/ports/actor-store.ts';
import { mailOf, transitionOf } from './store-builders.ts';
import { Corner, type StoreSubject } from './store-subject.ts';

const LIMITS = { total: 9_999, perActor: 9_999 };

export function registerMailRules(subject: () => StoreSubject): void {
  const corner = (): Promise<Corner> => new Corner(subject()).take();
  const load = async (at: Corner, limits = LIMITS): Promise<MailRow[]> =>
    (await at.store.loadMail([at.shard], limits)).filter((row) => row.envelope.project === at.project);
  const post = async (at: Corner, messages: readonly OutgoingMessage[]): Promise<PostVerdict[]> =>
    (await at.store.post(messages)).map(({ verdict }) => verdict);
  const mailFor =
    (at: Corner) =>
    (id: string, more: object = {}) =>
      mailOf({ project: at.project, to: 'note/one', shard: at.shard, id, ...more });

  const idsOf = async (at: Corner) =>
    (await load(at)).map(({ mailId, envelope }) => ({ mailId, priority: envelope.priority }));

  describe('mail', () => {
    it('[AS4] the same id is stored once: same content is a duplicate, other content a conflict', async () => {
      const at = await corner();
      const mail = mailFor(at);
      expect(await post(at, [mail('a'), mail('a'), mail('b')])).toEqual(['stored', 'duplicate', 'stored']);
      expect(await post(at, [mail('a'), mail('b', { hash: 'other' })])).toEqual(['duplicate', 'conflict']);
      expect(await post(at, [mail('a', { to: 'note/two' })])).toEqual(['stored']);
      expect((await load(at)).map((row) => row.envelope.messageId)).toEqual(['a', 'b', 'a']);
    });

    it('[AS4] an id stays taken after it was consumed', async () => {
      const at = await corner();
      const mail = mailFor(at)('a');
      await at.store.post([mail]);
      const consumedMail = await idsOf(at);
      const transitions = [transitionOf({ messageId: 'a', payloadHash: mail.payloadHash })];
      expect(await at.commit(at.entry({ address: 'note/one', transitions, consumedMail }))).toEqual(['committed']);
      expect(await load(at)).toEqual([]);
      expect(await post(at, [mail, { ...mail, payloadHash: 'other' }])).toEqual(['duplicate', 'conflict']);
      expect(await at.store.findConsumed(at.project, 'note/one', 'a')).toMatchObject({ outcome: 'handled', seq: 1 });
    });

    it('[AS4] mail between actors has no id to be taken: only its sender decides, and only outside mail is posted', async () => {
      const at = await corner();
      const mail = mailFor(at)('note/s:1:0', { from: 'note/s' });
      expect(await at.commit(at.entry({ address: 'note/s', outgoing: [mail] }))).toEqual(['committed']);
      expect(await at.commit(at.entry({ address: 'note/s', outgoing: [mail] }))).toEqual(['stale_sequence']);
      expect(await load(at)).toHaveLength(1);
      await expect(at.store.post([mail])).rejects.toThrow('request.forbidden');
      expect(await post(at, [{ ...mailFor(at)('note/s:1:0'), payloadHash: 'x' }])).toEqual(['stored']);
    });

    it('[AS6] reserved mail ids are given once and grow', async () => {
      const at = await corner();
      const blocks = await Promise.all([at.store.reserveMailIds(), at.store.reserveMailIds()]);
      const [low, high] = blocks.toSorted((a, b) => a.first - b.first);
      expect(low?.count).toBeGreaterThan(0);
      expect(high?.first).toBeGreaterThanOrEqual((low?.first ?? 0) + (low?.count ?? 0));
      const [posted] = await at.store.post([mailFor(at)('a')]);
      expect(posted?.mailId).toBeGreaterThanOrEqual((high?.first ?? 0) + (high?.count ?? 0));
      expect((await load(at)).map(({ mailId }) => mailId)).toEqual([posted?.mailId]);
    });

    it('[AS3] a commit deletes only mail of its own actor, and nothing when it does not land', async () => {
      const at = await corner();
      await at.store.post([mailFor(at)('a')]);
      const consumedMail = await idsOf(at);
      await at.commit(at.entry({ address: 'note/other', consumedMail }));
      await at.commit(at.entry({ address: 'note/one', expectedSeq: 5, consumedMail }));
      await at.commit(at.entry({ address: 'note/one', epoch: at.epoch + 1, consumedMail }));
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
      expect(await post(at, [mail('x'), mail('y'), mail('m7')])).toEqual(['stored', 'mailbox_full', 'duplicate']);
      expect(await post(at, [mail('z')])).toEqual(['mailbox_full']);
      expect(await post(at, [mail('other', { to: 'note/two' })])).toEqual(['stored']);
      expect(await post(at, [mail('stop', { priority: 'operator' })])).toEqual(['stored']);
      const between = mail('note/sender:1:0', { from: 'note/sender' });
      expect(await at.commit(at.entry({ address: 'note/sender', outgoing: [between] }))).toEqual(['committed']);
    });

    it('[AS6] attempts are counted on the row', async () => {
      const at = await corner();
      await at.store.post([mailFor(at)('a')]);
      const [row] = await load(at);
      expect(await at.store.countAttempt(at.shard, row?.mailId ?? 0)).toBe(1);
      expect(await at.store.countAttempt(at.shard, row?.mailId ?? 0)).toBe(2);
      expect((await load(at))[0]?.attempts).toBe(2);
    });

    it('[AS3] [AS4] mail nobody can consume is set aside under the lease, and its id stays taken', async () => {
      const at = await corner();
      const mail = mailFor(at)('a');
      await at.store.post([mail]);
      const mailId = (await load(at))[0]?.mailId ?? 0;
      const lease = { shard: at.shard, epoch: at.epoch };
      expect(await at.store.setAsideMail('somebody', lease, mailId, 'why')).toBe(false);
      expect(await at.store.setAsideMail(at.worker, lease, mailId, 'no such kind')).toBe(true);
      expect(await load(at)).toEqual([]);
      expect(await subject().readSetAside('dead_letter', at.project)).toEqual([
        { messageId: 'a', reason: 'no such kind' },
      ]);
      expect(await post(at, [mail, { ...mail, payloadHash: 'other' }])).toEqual(['duplicate', 'conflict']);
      expect(await at.store.findConsumed(at.project, 'note/one', 'a')).toBeNull();
    });
  });
}
