import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyQuote } from '#contracts/text/quote.ts';
import type { TaskEvent } from '#contracts/actors/task.ts';
import { ProductProcess } from '#tests/support/product-process.ts';

const KILLS = Number(process.env['YUNSOU_KILLS'] ?? 12);
const ENDED = ['completed', 'partial_failed', 'failed', 'stopped', 'cancelled'];
const QUESTIONS = [
  'How do I stop a running task?',
  '怎么停止一个正在运行的任务?',
  'What files are in a report package?',
  '报告包里有哪些文件？',
  'What is the difference between npm ci and npm install?',
];

const product = new ProductProcess();

/** Seeded, so that a failing run can be repeated. */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

beforeAll(async () => {
  await product.start();
  for (;;) {
    const { roots } = await product.api.library();
    if (roots.every(({ state }) => state === 'ready' || state === 'failed')) break;
    await pause(200);
  }
});
afterAll(() => product.remove());

async function eventsOf(taskId: string): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  for await (const event of product.api.events(taskId, '0')) {
    events.push(event);
    if (/^task\.(completed|partial_failed|failed|stopped)$/.test(event.event_type)) break;
  }
  return events;
}

describe('killing the whole product', () => {
  const tasks: string[] = [];
  const seed = Number(process.env['YUNSOU_SEED'] ?? 7);

  it(`[RT-04] survives ${KILLS} kills at random moments: every task ends properly`, async () => {
    const chance = createChance(seed);
    for (let kill = 0; kill < KILLS; kill++) {
      const { conversation_id } = await product.api.createConversation();
      await product.api.postMessage(conversation_id, QUESTIONS[kill % QUESTIONS.length] ?? '', 'quick_search');
      const { messages } = await product.api.conversation(conversation_id);
      tasks.push(messages.at(-1)?.task_id ?? 'missing');
      await pause(chance() * 2500);
      await product.kill();
      await product.start();
    }
    for (const id of tasks) {
      await eventsOf(id);
      expect(ENDED).toContain((await product.api.task(id)).status);
    }
  }, 900_000);

  it('[AP-02] repeats and skips no event number', async () => {
    for (const id of tasks) {
      const numbers = (await eventsOf(id)).map((event) => Number(event.event_seq_no));
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    }
  }, 120_000);

  it('[EV-03] loses no quote: each one accepted stands at its offsets in the stored page', async () => {
    let checked = 0;
    for (const id of tasks) {
      for (const event of await eventsOf(id)) {
        if (event.event_type !== 'evidence.accepted') continue;
        const evidence = await product.api.evidence(event.data['evidence_id'] as string);
        const source = await product.api.sourceRevision(evidence.source_revision_id);
        expect(verifyQuote(source.text, evidence)).toBe(true);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(0);
  }, 120_000);

  it('[RT-03] sends no effect of class once a second time', () => {
    const sent = product.log
      .filter((line) => line.includes('"effect starts"'))
      .map((line) => JSON.parse(line) as { class: string; effectId: string })
      .filter((entry) => entry.class === 'once')
      .map(({ effectId }) => effectId);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((id, index) => sent.indexOf(id) !== index)).toEqual([]);
  });
});
