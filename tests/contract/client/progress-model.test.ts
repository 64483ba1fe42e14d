import { expect, it } from 'vitest';
import type { PlanNode } from '#contracts/actors/task.ts';
import { elapsedMs, progressOf, stopPhaseOf } from '#client/chat/progress-model.ts';
import { applyFact, EMPTY_ACTIVITY } from '#client/data/task-activity.ts';
import { aTaskDetail } from './support/messages.ts';

const IDLE = { sending: false, settled: undefined };

const node = (change: Partial<PlanNode>): PlanNode => ({
  work_item_id: 'wrk_00000001',
  kind: 'read',
  label: 'http://a.test/1',
  wave: 1,
  needs: [],
  status: 'waiting',
  started_time: null,
  ended_time: null,
  reason: null,
  ...change,
});

it('[TK-04] the stop button is offered, sent, accepted, and stopped only by the stopped state', () => {
  const accepted = { sending: false, settled: { state: 'accepted' as const } };
  expect(stopPhaseOf('running', IDLE)).toBe('offered');
  expect(stopPhaseOf('running', { sending: true, settled: undefined })).toBe('sending');
  expect(stopPhaseOf('running', accepted)).toBe('accepted');
  expect(stopPhaseOf('stopping', IDLE)).toBe('accepted');
  expect(stopPhaseOf('stopped', accepted)).toBe('stopped');
  expect(stopPhaseOf('completed', accepted)).toBe('none');
});

it('[CH-06] pages read, being read, queued and blocked are counted apart and once', () => {
  const read = applyFact(EMPTY_ACTIVITY, {
    type: 'source.read',
    data: { url: 'http://a.test/1', title: 'One' },
    time: '2026-11-30T10:00:00.000Z',
  });
  const plan = [
    node({ status: 'succeeded' }),
    node({ label: 'http://a.test/2', status: 'running' }),
    node({ label: 'http://a.test/3' }),
    node({ label: 'A search', kind: 'discover', status: 'succeeded' }),
  ];
  const model = progressOf({ activity: { ...read, status: 'running' }, detail: aTaskDetail({ plan }) }, IDLE);
  expect(model.counts).toMatchObject({ read: 1, reading: 1, queued: 1, blocked: 0 });
  expect(model.pages.map((page) => page.url)).toEqual(['http://a.test/1', 'http://a.test/2', 'http://a.test/3']);
});

it('[CH-06] after a reload the plan alone tells which pages were read', () => {
  const plan = [node({ status: 'succeeded' }), node({ label: 'http://a.test/2', status: 'blocked', reason: 'login' })];
  const model = progressOf({ activity: { ...EMPTY_ACTIVITY, status: 'stopped' }, detail: aTaskDetail({ plan }) }, IDLE);
  expect(model.counts).toMatchObject({ read: 1, blocked: 1, queued: 0 });
});

it('[CH-06] elapsed time ends with the task and is never negative', () => {
  const startedTime = '2026-11-30T10:00:00.000Z';
  expect(elapsedMs({ startedTime, endedTime: '2026-11-30T10:00:12.000Z' }, 0)).toBe(12_000);
  expect(elapsedMs({ startedTime, endedTime: null }, Date.parse(startedTime) - 5000)).toBe(0);
});
