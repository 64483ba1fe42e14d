import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEvent, applyResync, cursorOf, EMPTY_REPLICA, putConversation, putTask } from '#client/data/replica.ts';
import type { Replica, StreamEvent } from '#client/data/replica.ts';
import { aMessage, aTaskDetail } from './support/messages.ts';

const CONVERSATION = 'conversation:cnv_00000001';
const TASK = 'task:tsk_00000001';

const posted = (seq: number): StreamEvent => ({
  stream: CONVERSATION,
  seq: String(seq),
  type: 'message.posted',
  data: { message: aMessage({ message_id: `msg_${String(seq).padStart(8, '0')}`, conversation_seq: String(seq) }) },
});

const taskEvent = (seq: number, type: string, data: Record<string, unknown> = {}): StreamEvent => ({
  stream: TASK,
  seq: String(seq),
  type,
  data: {
    authority_id: 'task',
    task_id: 'tsk_00000001',
    event_seq_no: String(seq),
    event_type: type,
    resource_revision: String(seq),
    server_time: `2026-11-30T10:00:${String(seq).padStart(2, '0')}.000Z`,
    data,
  },
});

const fold = (events: readonly StreamEvent[], start: Replica = EMPTY_REPLICA): Replica =>
  events.reduce((replica, event) => applyEvent(replica, event).replica, start);
const messageIds = (replica: Replica): string[] =>
  (replica.messages['cnv_00000001'] ?? []).map((one) => one.message_id);

describe('conversation stream', () => {
  it('[CH-09] an event that arrives twice is one message', () => {
    const replica = fold([posted(1), posted(1), posted(2), posted(1)]);
    expect(messageIds(replica)).toEqual(['msg_00000001', 'msg_00000002']);
    expect(applyEvent(replica, posted(2)).arrival).toBe('duplicate');
  });

  it('[CH-09] a gap changes nothing and is reported', () => {
    const before = fold([posted(1)]);
    const { replica, arrival } = applyEvent(before, posted(3));
    expect(arrival).toBe('gap');
    expect(replica).toBe(before);
    expect(cursorOf(replica, CONVERSATION)).toBe('1');
  });

  it('[CH-09] any disorder, repeated until nothing is missing, ends in the same state', () => {
    const truth = Array.from({ length: 6 }, (_, index) => posted(index + 1));
    const expected = fold(truth);
    const anyDeliveries = fc.array(fc.constantFrom(...truth), { maxLength: 60 });
    fc.assert(
      fc.property(anyDeliveries, (deliveries) => {
        expect(fold([...deliveries, ...truth])).toEqual(expected);
      }),
    );
  });

  it('[CH-09] numbers beyond 2^53 are compared exactly', () => {
    const start = applyResync(EMPTY_REPLICA, CONVERSATION, { messages: [] }, '9007199254740993');
    expect(applyEvent(start, { ...posted(1), seq: '9007199254740993' }).arrival).toBe('duplicate');
    expect(applyEvent(start, { ...posted(1), seq: '9007199254740994' }).arrival).toBe('next');
    expect(applyEvent(start, { ...posted(1), seq: '9007199254740995' }).arrival).toBe('gap');
  });

  it('[CH-06] a changed message replaces itself and keeps its place', () => {
    const changed: StreamEvent = {
      stream: CONVERSATION,
      seq: '3',
      type: 'message.changed',
      data: {
        message: aMessage({
          message_id: 'msg_00000001',
          author: 'assistant',
          parts: [{ kind: 'text', part_id: 'p1', markdown: 'Done [1].' }],
        }),
      },
    };
    const replica = fold([posted(1), posted(2), changed]);
    expect(messageIds(replica)).toEqual(['msg_00000001', 'msg_00000002']);
    expect(replica.messages['cnv_00000001']?.[0]?.parts).toHaveLength(1);
  });

  it('[CH-09] a snapshot older than the cursor takes nothing back', () => {
    const replica = fold([posted(1), posted(2)]);
    const stale = {
      conversation_id: 'cnv_00000001',
      title: 'old',
      created_time: '2026-11-30T10:00:00.000Z',
      updated_time: '2026-11-30T10:00:00.000Z',
      conversation_seq: '1',
      hidden: false,
      messages: [],
    };
    expect(putConversation(replica, stale)).toBe(replica);
  });
});

describe('task stream', () => {
  it('[TK-04] the task is stopped only after its stopped event', () => {
    const running = fold([taskEvent(1, 'task.created'), taskEvent(2, 'run.started'), taskEvent(3, 'task.stopping')]);
    expect(running.tasks['tsk_00000001']?.activity.status).toBe('stopping');
    const stopped = fold([taskEvent(4, 'task.stopped')], running);
    expect(stopped.tasks['tsk_00000001']?.activity).toMatchObject({
      status: 'stopped',
      endedTime: '2026-11-30T10:00:04.000Z',
    });
  });

  it('[CH-06] counts come from events, also when only the payload travels', () => {
    const bare: StreamEvent = {
      stream: TASK,
      seq: '3',
      type: 'source.read',
      data: { url: 'http://a.test/2', title: 'B' },
    };
    const { activity } = fold([
      taskEvent(1, 'search.completed', { queries: ['stop a task'] }),
      taskEvent(2, 'source.read', { url: 'http://a.test/1', title: 'A' }),
      bare,
      taskEvent(4, 'source.blocked', { url: 'http://a.test/3', reason: 'login' }),
      taskEvent(5, 'evidence.accepted', { count: 4 }),
    ]).tasks['tsk_00000001']!;
    expect(activity).toMatchObject({ searches: 1, quotes: 4, queries: ['stop a task'] });
    expect(activity.pages.map((page) => page.state)).toEqual(['read', 'read', 'blocked']);
  });

  it('[CH-06] a queued page keeps its place and its title when it is read or blocked', () => {
    const pages = [
      { url: 'http://a.test/1', title: 'One' },
      { url: 'http://a.test/2', title: 'Two' },
    ];
    const { activity } = fold([
      taskEvent(1, 'wave.opened', { wave: 1, pages }),
      taskEvent(2, 'source.read', { url: 'http://a.test/2' }),
      taskEvent(3, 'source.blocked', { url: 'http://a.test/1', outcome: 'no_content', reason: 'empty' }),
    ]).tasks['tsk_00000001']!;
    expect(activity.pages).toEqual([
      { url: 'http://a.test/1', title: 'One', state: 'no_content', reason: 'empty' },
      { url: 'http://a.test/2', title: 'Two', state: 'read', reason: '' },
    ]);
  });

  it('[CH-09] events replayed after a reload are counted, and the present status stays', () => {
    const start = putTask(EMPTY_REPLICA, aTaskDetail({ status: 'completed', event_seq: '4' }));
    const replayed = fold(
      [taskEvent(1, 'task.created'), taskEvent(2, 'run.started'), taskEvent(3, 'search.completed')],
      start,
    );
    expect(replayed.tasks['tsk_00000001']?.activity).toMatchObject({ status: 'completed', searches: 1 });
    const later = fold([taskEvent(4, 'task.completed'), taskEvent(5, 'result.quarantined')], replayed);
    expect(later.tasks['tsk_00000001']?.activity.status).toBe('completed');
  });

  it('[AP-02] a resync replaces the task and numbering goes on from its seq', () => {
    const replica = applyResync(EMPTY_REPLICA, TASK, aTaskDetail({ status: 'paused', event_seq: '40' }), '40');
    expect(replica.tasks['tsk_00000001']?.activity.status).toBe('paused');
    expect(applyEvent(replica, taskEvent(41, 'run.resumed')).arrival).toBe('next');
  });

  it('[CH-09] an older task view never takes a newer status back', () => {
    const replica = fold([taskEvent(1, 'task.created'), taskEvent(2, 'task.stopping'), taskEvent(3, 'task.stopped')]);
    const after = putTask(replica, aTaskDetail({ status: 'running', event_seq: '2' }));
    expect(after.tasks['tsk_00000001']?.activity.status).toBe('stopped');
    expect(after.tasks['tsk_00000001']?.detail?.status).toBe('running');
  });
});
