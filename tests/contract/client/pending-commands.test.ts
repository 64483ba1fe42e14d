import { expect, it } from 'vitest';
import { backoffMs } from '#client/data/backoff.ts';
import { createDrafts } from '#client/data/drafts.ts';
import { createPendingCommands, type PendingCommand, type PendingDeps } from '#client/data/pending-commands.ts';
import { ApiProblem, problemFromBody } from '#client/data/problem.ts';
import { memoryStorage } from './support/messages.ts';

const message = (id: string, conversationId = 'cnv_00000001', madeMs = 1): PendingCommand => ({
  kind: 'message',
  id,
  conversationId,
  title: null,
  text: `text of ${id}`,
  mode: 'smart',
  madeMs,
});

const settledSoon = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

function setUp(send: PendingDeps['send'], storage = memoryStorage()) {
  const sent: string[] = [];
  const settled: [string, boolean][] = [];
  const later: (() => void)[] = [];
  const pending = createPendingCommands({
    storage,
    send: (command) => {
      sent.push(command.id);
      return send(command);
    },
    settled: (command, outcome) => void settled.push([command.id, outcome.ok]),
    changed: () => undefined,
    after: (_delayMs, run) => void later.push(run),
    random: () => 0.5,
  });
  return { pending, sent, settled, later, storage };
}

it('[CH-04] a command whose answer was lost is sent again with the same id, also after a reload', async () => {
  const storage = memoryStorage();
  const first = setUp(() => Promise.reject(new ApiProblem('network.unreachable', 0, '')), storage);
  first.pending.add(message('cm_a'));
  await settledSoon();
  expect(first.settled).toEqual([]);
  const second = setUp(() => Promise.resolve(), storage);
  second.pending.flush();
  await settledSoon();
  expect(second.sent).toEqual(['cm_a']);
  expect(second.settled).toEqual([['cm_a', true]]);
  expect(storage.length).toBe(0);
});

it('[CH-04] a transient failure is repeated after a pause, a refusal is not', async () => {
  let answer: Promise<unknown> = Promise.reject(new ApiProblem('store.unavailable', 503, ''));
  const { pending, sent, settled, later } = setUp(() => answer);
  pending.add(message('cm_a'));
  await settledSoon();
  answer = Promise.reject(new ApiProblem('request.invalid', 400, ''));
  later.shift()?.();
  await settledSoon();
  expect(sent).toEqual(['cm_a', 'cm_a']);
  expect(settled).toEqual([['cm_a', false]]);
  expect(later).toEqual([]);
});

it('[CH-03] messages of one conversation go one after the other, other conversations do not wait', async () => {
  const open: (() => void)[] = [];
  const { pending, sent } = setUp(() => new Promise<void>((resolve) => open.push(resolve)));
  pending.add(message('cm_a', 'cnv_00000001', 1));
  pending.add(message('cm_b', 'cnv_00000001', 2));
  pending.add(message('cm_c', 'cnv_00000002', 3));
  await settledSoon();
  expect(sent).toEqual(['cm_a', 'cm_c']);
  open[0]?.();
  await settledSoon();
  expect(sent).toEqual(['cm_a', 'cm_c', 'cm_b']);
});

it('[SC-01] a signed-out command waits in the list', async () => {
  const { pending, settled } = setUp(() => Promise.reject(new ApiProblem('request.unauthenticated', 401, '')));
  pending.add(message('cm_a'));
  await settledSoon();
  expect(settled).toEqual([]);
  expect(pending.list()).toHaveLength(1);
});

it('[CH-07] a draft is cleared by the send that took it, and text typed afterwards stays', () => {
  const storage = memoryStorage();
  const drafts = createDrafts(storage);
  drafts.write('cnv_1', 'first');
  drafts.take('cnv_1', 'cm_a', 'first');
  drafts.write('cnv_1', 'second');
  drafts.take('cnv_1', 'cm_a', 'first');
  expect(createDrafts(storage).read('cnv_1')).toBe('second');
});

it('[CH-07] a failed send gives its text back, but never over newer text', () => {
  const drafts = createDrafts(memoryStorage());
  expect(drafts.giveBack('cnv_1', 'lost')).toBe('lost');
  drafts.write('cnv_1', 'newer');
  expect(drafts.giveBack('cnv_1', 'lost')).toBe('newer');
});

it('[CH-09] the pause between attempts grows, is capped and is spread', () => {
  expect(backoffMs(0, 0.5)).toBe(500);
  expect(backoffMs(3, 0.5)).toBe(4000);
  expect(backoffMs(60, 0.999)).toBeLessThanOrEqual(45_000);
  expect(backoffMs(3, 0)).toBe(2000);
});

it('[AP-01] a problem document becomes a typed problem, a broken body still has its status', () => {
  expect(problemFromBody(409, { code: 'request.conflict', detail: 'other content' })).toMatchObject({
    code: 'request.conflict',
    status: 409,
    detail: 'other content',
  });
  expect(problemFromBody(502, null)).toMatchObject({ code: 'http.502', status: 502 });
});
