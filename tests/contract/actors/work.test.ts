import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mayRetry, waitOf } from '#actors/work-item/retrying.ts';
import { failure } from '#contracts/errors.ts';
import { verifyQuote } from '#contracts/text/quote.ts';
import { page } from '#tests/support/fakes/page-world.ts';
import { ProductHarness } from '#tests/support/harness/product-harness.ts';

const QUESTION = 'How tall is the Alder tower?';
const TOWER = 'http://tower.test/alder';

let product: ProductHarness;

beforeEach(async () => {
  product = new ProductHarness();
  product.world.add(
    TOWER,
    page('The Alder tower', '<p>The Alder tower is 321 metres tall. It was finished in 1961.</p>'),
  );
  await product.start();
});

afterEach(() => product.harness.stop());

const mailOf = (type: string) => product.harness.outbox().filter(({ event }) => event.type === type);

describe('work items', () => {
  it('[WI1] each work item reports its ending exactly once', async () => {
    const id = await product.createTask(QUESTION);
    await product.ended(id);
    const reports = mailOf('work.finished').map(({ event }) => event['work_item_id']);
    expect(reports.length).toBeGreaterThanOrEqual(5);
    expect(new Set(reports).size).toBe(reports.length);
  });

  it('[WI2] a page is only opened under the address the item was made for', async () => {
    const id = await product.createTask(QUESTION);
    await product.ended(id);
    const orders = mailOf('context.navigate').map(({ event }) => event['url']);
    expect(orders).toEqual([TOWER]);
  });

  it('[WI3] an unknown outcome is looked at again in a new context under a new action, twice at most (TK-07)', async () => {
    const crash = failure('browser.crashed', 'the browser ended');
    product.world.failNext(TOWER, crash);
    product.world.failNext(TOWER, crash);
    const id = await product.createTask(QUESTION);
    expect(await product.ended(id)).toBe('failed');
    expect(product.world.sent).toHaveLength(2);
    expect(new Set(product.world.sent).size).toBe(2);
    expect(product.eventTypes(id)).toContain('source.blocked');
  });

  it('[PL-04] a blocked page is reported with its reason and never tried again', async () => {
    product.world.failNext(TOWER, failure('browser.egress_refused', 'the address is not public'));
    const id = await product.createTask(QUESTION);
    await product.ended(id);
    expect(product.world.sent).toHaveLength(1);
    const blocked = product.harness.events(`task/${id}`).find(({ type }) => type === 'source.blocked');
    expect(blocked?.data).toMatchObject({ outcome: 'blocked', reason: 'the address is not public' });
  });

  it('[WI4] after a pause nothing new is started until the resume', async () => {
    product.world.hold(TOWER);
    const id = await product.createTask(QUESTION);
    await product.harness.until(() => product.world.sent.length === 1);
    await product.command(id, 'task.pause');
    product.world.release(TOWER);
    await product.harness.until(() => product.harness.state(`task/${id}`) === 'paused');
    expect(mailOf('context.read')).toEqual([]);
    expect(product.harness.writes('evidence')).toEqual([]);
  });

  it('[WI4] a pause that comes while a role still thinks lets its proposal start nothing', async () => {
    const address = 'work-item/wrk_early-0001';
    const created = product.harness.create(address, {
      work_item_id: 'wrk_early-0001',
      task_id: 'tsk_none-0001',
      run_id: 'run_none-0001',
      reply_to: 'task/tsk_none-0001',
      language: 'en',
      payload: { kind: 'read', url: TOWER, title: 'The Alder tower' },
    });
    // Both are stored before the actors come to rest: the pause is there long before the role has answered.
    await product.harness.inject({ from: 'task/tsk_none-0001', to: address, event: { type: 'work.pause' } });
    await created;
    await product.harness.until(() => product.harness.status(address) === 'done');
    expect(product.harness.state(address)).toBe('paused');
    expect(product.world.sent).toEqual([]);
  });

  it('[WI5] a passing failure of the search waits under a durable timer and is asked again, the rest is not repeated (PL-04)', async () => {
    product.world.failNext('search', failure('search.request_failed', 'reset', { retry: { kind: 'backoff' } }));
    const id = await product.createTask(QUESTION);
    await product.harness.until(() => product.world.searches.length === 1);
    const waiting = mailOf('work.waiting').map(({ event }) => event);
    expect(waiting).toMatchObject([{ attempt: 1, reason: 'reset' }]);
    await product.harness.restart();
    expect(product.world.searches).toHaveLength(1);
    await product.harness.advance(2000);
    expect(await product.ended(id)).toBe('completed');
    expect(product.world.searches).toHaveLength(2);
  });

  it('[WI5] the waits double with half of each by chance, and end with the tries, the longest wait and the deadline', () => {
    const reason = failure('model.overloaded', 'busy', { retry: { kind: 'backoff' } });
    const at = '2026-11-30T00:00:00.000Z';
    const state = (retries: number, deadline_time: string | null = null, id = 'wrk_a') =>
      ({ work_item_id: id, retries, deadline_time, pause_requested: false }) as never;
    for (const [retries, least, most] of [
      [0, 1000, 2000],
      [1, 2000, 4000],
    ] as const) {
      const waits = Array.from({ length: 50 }, (_, n) => waitOf(state(retries, null, `wrk_${n}`), reason));
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(least);
      expect(Math.max(...waits)).toBeLessThanOrEqual(most);
      expect(new Set(waits).size).toBeGreaterThan(25);
    }
    expect([0, 1, 2].map((retries) => mayRetry(state(retries), reason, at))).toEqual([true, true, false]);
    expect(mayRetry(state(0, '2026-11-30T00:00:00.500Z'), reason, at)).toBe(false);
    const asked = (ms: number) => failure('model.rate_limited', 'later', { retry: { kind: 'after', ms } });
    expect(waitOf(state(0), asked(30_000))).toBe(30_000);
    expect(mayRetry(state(0), asked(3_600_000), at)).toBe(false);
    expect(mayRetry(state(0), failure('search.response_invalid', 'nothing'), at)).toBe(false);
    expect(mayRetry(state(0), failure('page.blocked', 'a wall', { retry: { kind: 'backoff' } }), at)).toBe(false);
  });

  it('[WI6] pages that say the same with other figures are a conflict, and one voice (SE-09)', async () => {
    const copy = (metres: number) =>
      page(
        'The Alder tower',
        `<p>The Alder tower is ${metres} metres tall. It was finished after long years of patient work.</p>
         <p>Visitors come from all over the country to see it. The keeper lives beside the gate.</p>`,
      );
    product.world.pages.clear();
    for (const [n, metres] of [321, 348, 296].entries()) product.world.add(`http://tower.test/copy-${n}`, copy(metres));
    const id = await product.createTask(QUESTION);
    await product.ended(id);
    const assertions = await product.reads.research.assertionsOfTask('default', id);
    const heights = assertions.filter(({ text }) => text.includes('metres tall'));
    expect(heights.map(({ status }) => status)).toEqual(['conflicting', 'conflicting', 'conflicting']);
    expect(new Set(heights.map(({ conflict_group }) => conflict_group)).size).toBe(1);
    expect(product.eventTypes(id)).toContain('conflict.found');
    const verified = mailOf('work.finished')
      .map(({ event }) => JSON.stringify(event))
      .find((text) => text.includes('"independent"'));
    expect(verified).toContain('"independent":1');
  });

  it('[PL-01] a known address is read without a search', async () => {
    const id = await product.createTask(`How tall is the tower on ${TOWER} ?`);
    expect(await product.ended(id)).toBe('completed');
    expect(product.eventTypes(id)).not.toContain('search.started');
    expect((await product.view(id)).plan.map(({ kind }) => kind)).toEqual(['read', 'extract', 'verify', 'write']);
  });

  it('[PL-02] a further wave opens only while a question is open, and its nodes point forward', async () => {
    for (let index = 0; index < 6; index++) {
      product.world.add(
        `http://tower.test/noise-${index}`,
        page('Alder tower news', '<p>Tower, tower and Alder: tall stories of the tower, how the Alder tower was.</p>'),
      );
    }
    const id = await product.createTask('What is the weight of the golden bell of Brindle?');
    await product.ended(id);
    const { plan } = await product.view(id);
    for (const node of plan) {
      const needed = plan.filter((other) => node.needs.some(({ work_item_id }) => work_item_id === other.work_item_id));
      expect(needed.every((other) => other.wave <= node.wave)).toBe(true);
    }
  });
});

describe('browser contexts', () => {
  it('[BC1] one action at a time: an order while one is in flight is ignored', async () => {
    product.world.hold(TOWER);
    await product.harness.create('browser-context/ses_single-0001', {
      session_id: 'ses_single-0001',
      task_id: 'tsk_none-0001',
      owner: 'work-item/wrk_none-0001',
      locale: 'en',
    });
    const order = (action_id: string) => ({
      to: 'browser-context/ses_single-0001',
      event: { type: 'context.navigate', action_id, url: TOWER },
    });
    await product.harness.send(order('first'));
    const second = await product.harness.ask(order('second'));
    expect(second.outcome).toBe('ignored');
    expect(product.world.sent).toEqual(['first']);
  });

  it('[BC2] a navigation that was sent before a crash is never sent again; its outcome is unknown (BR-06)', async () => {
    product.world.hold(TOWER);
    const id = await product.createTask(QUESTION);
    await product.harness.until(() => product.world.sent.length === 1);
    await product.harness.restart();
    product.world.release(TOWER);
    await product.harness.advance(10_000);
    expect(await product.ended(id)).toBe('completed');
    expect(new Set(product.world.sent).size).toBe(product.world.sent.length);
    const failed = mailOf('context.failed').map(({ event }) => event['failure']);
    expect(failed).toMatchObject([{ code: 'effect.unknown' }]);
  });

  it('[BC3] a read names the document it saw', async () => {
    const id = await product.createTask(QUESTION);
    await product.ended(id);
    const [context] = product.harness.writes('source_revision');
    expect(context?.['requested_url']).toBe(TOWER);
    const rows = product.harness.transitions('browser-context/ses_task-0001-1-2-1');
    expect(rows.map(({ eventType }) => eventType)).toContain('context.read');
  });

  it('[BC4] after a failure the context closes and another one is opened for the next attempt', async () => {
    product.world.failNext(TOWER, failure('browser.timeout', 'too slow'));
    const id = await product.createTask(QUESTION);
    expect(await product.ended(id)).toBe('completed');
    expect(product.harness.status('browser-context/ses_task-0001-1-2-1')).toBe('done');
    expect(product.harness.status('browser-context/ses_task-0001-1-2-2')).toBe('done');
    expect(product.world.open.size).toBe(0);
  });
});

describe('role runs', () => {
  it('[RR1] each role run answers once and pins five versions (RO-02)', async () => {
    const id = await product.createTask(QUESTION);
    await product.ended(id);
    const answers = mailOf('role.finished').map(({ event }) => event['role_run_id']);
    expect(new Set(answers).size).toBe(answers.length);
    const context = product.harness.context<{ versions: object }>('role-run/rol_task-0001-compile');
    expect(Object.keys(context.versions).sort()).toEqual([
      'contract',
      'model_profile',
      'output_schema',
      'prompt',
      'tool_policy',
    ]);
  });

  it('[RR2] a role that names an artifact of nobody fails instead of answering (RO-04)', async () => {
    await product.harness.create('role-run/rol_lone-0001', {
      role_run_id: 'rol_lone-0001',
      task_id: 'tsk_none-0001',
      reply_to: 'task/tsk_none-0001',
      language: 'en',
      ask: { role: 'extractor', question: QUESTION, form: 'short_answer', source_revision_ids: ['srv_unknown-0001'] },
    });
    await product.harness.until(() => mailOf('role.failed').length === 1);
    expect(mailOf('role.failed')[0]?.event['failure']).toMatchObject({ code: 'resource.not_found' });
  });

  it('[RO-05] a known address needs no planner and no coordinator', async () => {
    const id = await product.createTask(`How tall is the tower on ${TOWER} ?`);
    await product.ended(id);
    const roles = mailOf('role.finished').map(({ event }) => (event['output'] as { role: string }).role);
    expect(roles).not.toContain('search_planner');
    expect(roles).not.toContain('analyst');
  });
});

describe('evidence and artifacts', () => {
  it('[EV-03] every stored quote stands verbatim at its offsets in the revision it names', async () => {
    const id = await product.createTask(QUESTION);
    await product.ended(id);
    const evidence = await product.reads.research.evidenceOfTask('default', id);
    expect(evidence.length).toBeGreaterThan(0);
    for (const item of evidence) {
      const source = await product.reads.research.sourceRevision('default', item.source_revision_id);
      expect(verifyQuote(source?.text ?? '', item)).toBe(true);
    }
  });

  it('[RP-01] every asserting sentence is bound to an assertion and to a citation of its evidence', async () => {
    const id = await product.createTask(QUESTION);
    await product.ended(id);
    const answer = await product.reads.research.answerOfTask('default', id);
    const assertions = await product.reads.research.assertionsOfTask('default', id);
    const sentences = answer?.sections.flatMap((section) => section.sentences) ?? [];
    expect(sentences.some(({ role }) => role === 'asserts')).toBe(true);
    for (const sentence of sentences) {
      if (sentence.role === 'frames') continue;
      const assertion = assertions.find(({ assertion_id }) => assertion_id === sentence.assertion_id);
      const cited = sentence.citations.map((n) => answer?.citations.find((citation) => citation.n === n)?.evidence_id);
      expect(assertion?.evidence_ids).toEqual(cited);
    }
  });

  it('[AF1] a sealed artifact takes no more mail (AR-01)', async () => {
    const id = await product.createTask(QUESTION);
    await product.ended(id);
    await product.harness.inject({
      from: 'task/x',
      to: 'artifact/art_task-0001-1',
      event: { type: 'child.fenced', address: 'a/b' },
    });
    expect(product.harness.outcomes('artifact/art_task-0001-1').at(-1)).toBe('child.fenced:dropped_done');
  });

  it('[AF2] an answer without a citation is not sealed', async () => {
    await product.harness.create('artifact/art_empty-0001', {
      artifact_id: 'art_empty-0001',
      task_id: 'tsk_none-0001',
      reply_to: 'task/tsk_none-0001',
      title: 'nothing',
      question: QUESTION,
      language: 'en',
      plan_hash: 'a'.repeat(64),
      task_status: 'completed',
      created_time: '2026-11-30T00:00:00.000Z',
    });
    await product.harness.until(() => mailOf('artifact.failed').length === 1);
    expect(mailOf('artifact.failed')[0]?.event['failure']).toMatchObject({ code: 'package.invalid' });
  });
});
