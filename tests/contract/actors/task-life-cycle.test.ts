import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page } from '#tests/support/fakes/page-world.ts';
import { ProductHarness } from '#tests/support/harness/product-harness.ts';

const QUESTION = 'How tall is the Alder tower?';
const TOWER = 'http://tower.test/alder';
const OTHER = 'http://tower.test/visit';

let product: ProductHarness;

beforeEach(async () => {
  product = new ProductHarness();
  product.world
    .add(
      TOWER,
      page(
        'The Alder tower',
        '<p>The Alder tower is 321 metres tall. It was finished in 1961 after four years of work.</p>',
      ),
    )
    .add(
      OTHER,
      page(
        'Visiting the Alder tower',
        '<p>The Alder tower opens its doors at nine. The tower of Alder has 12 lifts for visitors.</p>',
      ),
    );
  await product.start();
});

afterEach(() => product.harness.stop());

const eventsAfter = (types: readonly string[], type: string) => types.slice(types.lastIndexOf(type) + 1);

describe('task life cycle', () => {
  it('[TK-01] runs from draft to completed, with every state in the event stream and a sealed package', async () => {
    const id = await product.createTask(QUESTION);
    expect(await product.ended(id)).toBe('completed');
    const types = product.eventTypes(id);
    const order = ['task.created', 'plan.compiled', 'plan.confirmed', 'task.queued', 'run.started', 'search.started'];
    expect(types.slice(0, order.length)).toEqual(order);
    expect(types.at(-1)).toBe('task.completed');
    expect(types).toContain('artifact.sealed');
    const view = await product.view(id);
    expect(view.artifacts).toMatchObject([{ status: 'sealed', revision: 1 }]);
    expect(view.coverage.questions).toMatchObject([{ covered: true }]);
  });

  it('[T1] a start must name the exact plan; another hash or version is ignored (TS-06)', async () => {
    const id = await product.createTask(QUESTION, { autoStart: false });
    await product.harness.until(() => product.harness.state(`task/${id}`) === 'ready');
    const { plan_hash, plan_version } = await product.view(id);
    const wrongHash = await product.command(id, 'task.start', { plan_hash: 'f'.repeat(64), plan_version });
    const wrongVersion = await product.command(id, 'task.start', { plan_hash, plan_version: plan_version + 1 });
    expect([wrongHash.outcome, wrongVersion.outcome]).toEqual(['ignored', 'ignored']);
    expect(product.world.sent).toEqual([]);
    const right = await product.command(id, 'task.start', { plan_hash, plan_version });
    expect(right.outcome).toBe('handled');
    expect(await product.ended(id)).toBe('completed');
  });

  it('[T2] only the claim of a work item makes a queued task running (TK-02)', async () => {
    const id = await product.createTask(QUESTION);
    await product.ended(id);
    const rows = product.harness.transitions(`task/${id}`);
    const enters = (state: string) =>
      rows.find(({ stateAfter }) => JSON.stringify(stateAfter).includes(state))?.eventType;
    expect(enters('queued')).not.toBe('task.start');
    expect(enters('running')).toBe('work.claimed');
  });

  it('[T3] a stop closes the fence in its own commit and only closing events follow (TK-04)', async () => {
    product.world.hold(TOWER);
    const id = await product.createTask(QUESTION);
    await product.harness.until(() => product.world.spans.some(({ url }) => url === TOWER));
    const before = await product.view(id);
    const stop = await product.command(id, 'task.stop');
    expect(stop.outcome).toBe('handled');
    expect(product.harness.store.tables.fences.get(`task:${id}`)).toMatchObject({
      generation: Number(before.cancel_generation) + 1,
      open: false,
    });
    product.world.release(TOWER);
    expect(await product.ended(id)).toBe('stopped');
    const closing = eventsAfter(product.eventTypes(id), 'task.stopping');
    expect(closing.at(-1)).toBe('task.stopped');
    expect(closing.filter((type) => !['result.quarantined', 'artifact.sealed', 'task.stopped'].includes(type))).toEqual(
      [],
    );
    expect(product.world.closedTasks).toContain(id);
  });

  it('[TK-04] a task can be stopped before it started, and called off while it waits for its start', async () => {
    const waiting = await product.createTask(QUESTION, { autoStart: false });
    await product.harness.until(() => product.harness.state(`task/${waiting}`) === 'ready');
    expect((await product.command(waiting, 'task.stop')).outcome).toBe('handled');
    expect(await product.ended(waiting)).toBe('stopped');
    const other = await product.createTask(QUESTION, { autoStart: false });
    await product.harness.until(() => product.harness.state(`task/${other}`) === 'ready');
    await product.command(other, 'task.cancel');
    expect(await product.ended(other)).toBe('cancelled');
    expect([product.eventTypes(waiting).at(-1), product.eventTypes(other).at(-1)]).toEqual([
      'task.stopped',
      'task.stopped',
    ]);
    expect(product.world.sent).toEqual([]);
  });

  it('[TK-06] a stop while the package is being sealed keeps that package, once', async () => {
    const id = await product.createTask(QUESTION);
    await product.harness.until(() => JSON.stringify(product.harness.state(`task/${id}`)).includes('sealing'));
    await product.command(id, 'task.stop');
    expect(await product.ended(id)).toBe('stopped');
    expect((await product.view(id)).artifacts).toMatchObject([{ status: 'sealed' }]);
    expect(product.eventTypes(id).filter((type) => type === 'artifact.sealed')).toHaveLength(1);
  });

  it('[T3] a report stored before the stop and taken after it counts, but publishes nothing (TK-05)', async () => {
    product.world.hold(TOWER);
    const id = await product.createTask(QUESTION);
    await product.harness.until(() => product.world.spans.some(({ url }) => url === TOWER));
    const node = (await product.view(id)).plan.find(({ kind, status }) => kind === 'read' && status === 'running');
    const stop = product.command(id, 'task.stop');
    // Both are stored before the task comes to rest; the stop is read first because it is the operator's.
    await product.harness.inject({
      from: `work-item/${node?.work_item_id}`,
      to: `task/${id}`,
      event: {
        type: 'work.finished',
        work_item_id: node?.work_item_id,
        envelope: {
          outcome: 'succeeded',
          result: {
            kind: 'read',
            source_revision_id: 'srv_early-00001',
            final_url: TOWER,
            title: 'The Alder tower',
            language: 'en',
            page_kind: 'article',
            characters: 10,
          },
        },
      },
    });
    await stop;
    expect(await product.ended(id)).toBe('stopped');
    const outcomes = product.harness.outcomes(`task/${id}`);
    expect(outcomes.lastIndexOf('work.finished:handled')).toBeGreaterThan(outcomes.indexOf('task.stop:handled'));
    const closing = eventsAfter(product.eventTypes(id), 'task.stopping');
    expect(closing).not.toContain('source.read');
    expect(closing.at(-1)).toBe('task.stopped');
    const seen = (await product.view(id)).plan.find(({ work_item_id }) => work_item_id === node?.work_item_id);
    expect(seen?.status).toBe('succeeded');
  });

  it('[TK-05] what arrives after the stop goes to quarantine and changes nothing', async () => {
    product.world.hold(TOWER);
    const id = await product.createTask(QUESTION);
    await product.harness.until(() => product.world.spans.some(({ url }) => url === TOWER));
    await product.command(id, 'task.stop');
    await product.ended(id);
    const before = product.harness.writes('evidence').length;
    product.world.release(TOWER);
    await product.harness.advance(10_000);
    expect(product.harness.writes('evidence')).toHaveLength(before);
    expect(product.harness.status(`work-item/wrk_task-0001-1-2`)).toMatch(/fenced|done/);
    expect((await product.view(id)).status).toBe('stopped');
  });

  it('[T4] a pause converges, a resume is a new run under a new fence and repeats no finished work (TK-03)', async () => {
    product.world.hold(OTHER);
    const id = await product.createTask(QUESTION);
    await product.harness.until(() => product.eventTypes(id).includes('source.read'));
    await product.command(id, 'task.pause');
    expect((await product.view(id)).status).toBe('pausing');
    product.world.release(OTHER);
    await product.harness.until(() => product.harness.state(`task/${id}`) === 'paused');
    const paused = await product.view(id);
    const readBefore = product.world.sent.length;
    await product.harness.advance(300_000);
    expect(product.world.sent).toHaveLength(readBefore);
    await product.command(id, 'task.resume');
    expect(await product.ended(id)).toBe('completed');
    const after = await product.view(id);
    expect(Number(after.cancel_generation)).toBeGreaterThan(Number(paused.cancel_generation));
    expect(after.run_id).not.toBe(paused.run_id);
    expect(product.world.spans.filter(({ url }) => url === TOWER)).toHaveLength(1);
  });

  it('[T5] without a passage that answers, the task fails with insufficient evidence and asserts nothing', async () => {
    const id = await product.createTask('Which enzyme do purple otters share with lichens?');
    expect(await product.ended(id)).toBe('failed');
    const view = await product.view(id);
    expect(view.problem?.code).toBe('evidence.insufficient');
    expect(view.gaps).toMatchObject([{ reason: 'not_found' }]);
    expect(view.artifacts).toEqual([]);
    expect(product.harness.writes('assertion')).toEqual([]);
  });

  it('[T6] an ended task publishes nothing more and takes no command', async () => {
    const id = await product.createTask(QUESTION);
    await product.ended(id);
    const count = product.eventTypes(id).length;
    const late = await product.command(id, 'task.stop');
    await product.harness.redeliver(`task/${id}`);
    expect(late.outcome).toBe('dropped_done');
    expect(product.eventTypes(id)).toHaveLength(count);
  });

  it('[AP-02] event numbers are gapless and equal to the number in the view', async () => {
    const id = await product.createTask(QUESTION);
    await product.ended(id);
    const numbers = product.harness.events(`task/${id}`).map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect((await product.view(id)).event_seq).toBe(String(numbers.length));
  });

  it('[PL-05] pages of one task and pages of two tasks really overlap', async () => {
    product.world.hold(TOWER);
    product.world.hold(OTHER);
    const first = await product.createTask(QUESTION);
    const second = await product.createTask('When was the Alder tower finished?');
    await product.harness.until(() => product.world.spans.length >= 4);
    expect(product.world.spans.every(({ to }) => to === 0)).toBe(true);
    product.world.release(TOWER);
    product.world.release(OTHER);
    expect([await product.ended(first), await product.ended(second)]).toEqual(['completed', 'completed']);
  });

  it('[TK-08] stopping one task leaves the other alone', async () => {
    product.world.hold(TOWER);
    const first = await product.createTask(QUESTION);
    const second = await product.createTask('When was the Alder tower finished?');
    await product.harness.until(() => product.world.spans.filter(({ url }) => url === TOWER).length === 2);
    await product.command(first, 'task.stop');
    product.world.release(TOWER);
    expect([await product.ended(first), await product.ended(second)]).toEqual(['stopped', 'completed']);
    expect(product.eventTypes(second)).not.toContain('result.quarantined');
  });

  it('[TS-02] every value of the contract names its origin and the hash covers the contract', async () => {
    const one = await product.createTask(QUESTION, { autoStart: false });
    const two = await product.createTask('What does the Alder tower weigh?', { autoStart: false });
    await product.harness.until(() => product.harness.state(`task/${two}`) === 'ready');
    const [first, second] = [await product.view(one), await product.view(two)];
    expect(Object.values(first.origins ?? {})).toContain('user');
    expect(Object.values(first.origins ?? {})).toContain('template');
    expect(first.plan_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(first.plan_hash).not.toBe(second.plan_hash);
  });

  it('[TS-05] a mode that is not delivered yet is compiled and checked, and its start says so', async () => {
    const id = await product.createTask('List the towers of Alder with name and height', { mode: 'dataset' });
    await product.command(id, 'task.answer', { decide_for_me: true });
    await product.harness.until(() => product.harness.state(`task/${id}`) === 'ready');
    const { plan_hash, plan_version, preflight, confirmation_reasons } = await product.view(id);
    expect(preflight).toMatchObject({ level: 'static_only', plan_version: 1 });
    expect(preflight?.findings.map(({ code }) => code)).toContain('output.mode_not_delivered');
    expect(confirmation_reasons).toContain('has_findings');
    const started = await product.command(id, 'task.start', { plan_hash, plan_version });
    expect(started).toMatchObject({ outcome: 'handled', reply: { problem: { code: 'mode.not_available' } } });
    expect(product.harness.state(`task/${id}`)).toBe('ready');
    expect(product.world.sent).toEqual([]);
  });
});
