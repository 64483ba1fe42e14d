import { describe, expect, it } from 'vitest';
import type { Json, OperatorAction, ProjectTransition } from '#contracts/ports/actor-store.ts';
import { mailOf, transitionOf } from './store-builders.ts';
import { Corner, type StoreSubject } from './store-subject.ts';

const START = { atMicros: 0, address: '', seq: 0, index: 0 };
const place = (row: ProjectTransition): string => `${row.address} ${row.seq}.${row.index}`;

/** What operators and inspectors read and record. */
export function registerInspectionRules(subject: () => StoreSubject): void {
  const corner = (): Promise<Corner> => new Corner(subject()).take();

  describe('inspection', () => {
    it('[AS9] the log of a project comes by time, from a cursor, without another project', async () => {
      const at = await corner();
      const other = await corner();
      const two = [transitionOf({ messageId: 'a' }), transitionOf({ messageId: 'b', index: 1 })];
      await at.commit(at.entry({ address: 'note/two', transitions: two }));
      await at.commit(at.entry({ address: 'note/one', transitions: [transitionOf({ messageId: 'c' })] }));
      await other.commit(other.entry({ address: 'note/far', transitions: [transitionOf({ messageId: 'd' })] }));
      const rows = await at.store.readProjectLog(at.project, START, 9);
      expect(new Set(rows.map(place))).toEqual(new Set(['note/two 1.0', 'note/two 1.1', 'note/one 1.0']));
      expect(rows.every((row, index) => index === 0 || row.atMicros >= (rows[index - 1]?.atMicros ?? 0))).toBe(true);
      const [first, ...rest] = rows as [ProjectTransition, ...ProjectTransition[]];
      expect(Math.abs(first.atMs - first.atMicros / 1000)).toBeLessThanOrEqual(1);
      expect((await at.store.readProjectLog(at.project, first, 9)).map(place)).toEqual(rest.map(place));
      expect(await at.store.readProjectLog(at.project, START, 2)).toHaveLength(2);
    });

    it('[AS9] waiting mail of one receiver is read operator first, page by page, and counted', async () => {
      const at = await corner();
      const mail = (id: string, priority: 'normal' | 'operator' = 'normal', to = 'note/one') =>
        mailOf({ project: at.project, to, id, priority, shard: at.shard });
      await at.store.post([mail('n1'), mail('n2'), mail('o1', 'operator'), mail('x', 'normal', 'note/two')]);
      const page = await at.store.readMail(at.project, 'note/one', at.shard, { limit: 2 });
      expect(page.map(({ envelope }) => envelope.messageId)).toEqual(['o1', 'n1']);
      const after = { mailId: page[1]?.mailId ?? 0, priority: 'normal' as const };
      const rest = await at.store.readMail(at.project, 'note/one', at.shard, { after, limit: 2 });
      expect(rest.map(({ envelope }) => envelope.messageId)).toEqual(['n2']);
      expect(await at.store.countMail(at.project, 'note/one', at.shard, 99)).toBe(3);
      expect(await at.store.countMail(at.project, 'note/one', at.shard, 2)).toBe(2);
      expect(await at.store.readMail('elsewhere', 'note/one', at.shard, { limit: 9 })).toEqual([]);
    });

    it('[AS10] what was set aside is read newest first, by receiver, page by page', async () => {
      const at = await corner();
      const aside = (messageId: string) => ({ messageId, envelope: { of: messageId }, reason: `why ${messageId}` });
      await at.commit(at.entry({ address: 'note/one', deadLetters: [aside('a'), aside('b')] }));
      await at.commit(at.entry({ address: 'note/two', deadLetters: [aside('c')], quarantined: [aside('q')] }));
      const list = async (page: object) =>
        (await at.store.listSetAside(at.project, 'dead_letter', { limit: 9, ...page })).map((row) => row.messageId);
      expect(await list({})).toEqual(['c', 'b', 'a']);
      expect(await list({ address: 'note/one' })).toEqual(['b', 'a']);
      expect(await list({ limit: 1 })).toEqual(['c']);
      const [newest] = await at.store.listSetAside(at.project, 'dead_letter', { limit: 1 });
      expect(await list({ beforeId: newest?.id ?? 0 })).toEqual(['b', 'a']);
      expect(await at.store.findSetAside(at.project, 'dead_letter', newest?.id ?? 0)).toMatchObject({
        address: 'note/two',
        envelope: { of: 'c' },
        reason: 'why c',
      });
      expect(await at.store.findSetAside('elsewhere', 'dead_letter', newest?.id ?? 0)).toBeNull();
      const quarantine = await at.store.listSetAside(at.project, 'quarantine', { limit: 9 });
      expect(quarantine.map(({ messageId }) => messageId)).toEqual(['q']);
      expect(await at.store.listSetAside('elsewhere', 'dead_letter', { limit: 9 })).toEqual([]);
    });

    it('[AS10] mail that no actor took is in the log of its receiver, with sender, event and reason', async () => {
      const at = await corner();
      const mail = mailOf({ project: at.project, to: 'note/none', id: 'lost', shard: at.shard, note: 'hello' });
      const [posted] = await at.store.post([mail]);
      const lease = { shard: at.shard, epoch: at.epoch };
      expect(await at.store.setAsideMail(at.worker, lease, posted?.mailId ?? 0, 'actor.not_found: none')).toBe(true);
      const [row] = await at.store.readTransitions(at.project, 'note/none', null, 9);
      expect(row).toMatchObject({
        messageId: 'lost',
        from: 'http',
        eventType: 'note.added',
        outcome: 'poisoned',
        detail: { reason: 'actor.not_found: none', event: { note: 'hello' } } satisfies Json,
      });
      expect(row?.seq).toBeLessThan(0);
      expect(await at.store.readTransitions(at.project, 'note/none', { seq: 0, index: 0 }, 9)).toEqual([]);
    });

    it('[AS11] an action is recorded once per request id; how it ended comes from the log', async () => {
      const at = await corner();
      const action: OperatorAction = {
        project: at.project,
        requestId: 'request-1',
        command: 'stop',
        address: 'note/one',
        messageId: 'command:stop:request-1',
        letterId: null,
        caller: 'token',
      };
      expect(await at.store.recordOperatorAction(action)).toBe('recorded');
      expect(await at.store.recordOperatorAction(action)).toBe('repeated');
      expect(await at.store.recordOperatorAction({ ...action, messageId: 'command:pause:request-1' })).toBe('conflict');
      const redrive = { ...action, requestId: 'request-2', command: 'redrive', messageId: 'redrive:7', letterId: 7 };
      expect(await at.store.recordOperatorAction({ ...redrive, address: 'note/two' })).toBe('recorded');
      const [waiting] = await at.store.listOperatorActions(at.project, { address: 'note/one', limit: 9 });
      expect(waiting).toMatchObject({ ...action, outcome: null });
      const transition = transitionOf({ messageId: action.messageId, outcome: 'ignored' });
      await at.commit(at.entry({ address: 'note/one', transitions: [transition] }));
      const all = await at.store.listOperatorActions(at.project, { limit: 9 });
      expect(all.map(({ command, outcome }) => [command, outcome])).toEqual([
        ['redrive', null],
        ['stop', 'ignored'],
      ]);
      const ofLetter = await at.store.listOperatorActions(at.project, { letterIds: [7], limit: 9 });
      expect(ofLetter.map(({ requestId }) => requestId)).toEqual(['request-2']);
      expect(await at.store.listOperatorActions('elsewhere', { limit: 9 })).toEqual([]);
    });
  });
}
