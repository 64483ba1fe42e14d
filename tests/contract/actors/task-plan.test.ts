import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { criticalPath } from '#actors/task/critical-path.ts';
import { failure } from '#contracts/errors.ts';
import type { Engine } from '#contracts/research/engine.ts';
import { page } from '#tests/support/fakes/page-world.ts';
import { ProductHarness } from '#tests/support/harness/product-harness.ts';

const QUESTION = 'How tall is the Alder tower?';
const TOWER = 'http://tower.test/alder';
const BRIDGE = 'http://bridge.test/birch';
const MODEL: Engine = {
  kind: 'model',
  profile: 'small',
  profile_version: '1',
  prompts_version: 'p1',
  price_version: null,
};

let product: ProductHarness;
beforeEach(async () => {
  product = new ProductHarness();
  product.world
    .add(TOWER, page('The Alder tower', '<p>The Alder tower is 321 metres tall. It was finished in 1961.</p>'))
    .add(BRIDGE, page('The Birch bridge', '<p>The Birch bridge is 87 metres long. It carries two roads.</p>'));
  await product.start();
});
afterEach(() => product.harness.stop());

const events = (id: string, type: string) =>
  product.harness
    .events(`task/${id}`)
    .filter((event) => event.type === type)
    .map(({ data }) => data as never);

async function ready(text = QUESTION): Promise<string> {
  const id = await product.createTask(text, { autoStart: false });
  await product.harness.until(() => product.harness.state(`task/${id}`) === 'ready');
  return id;
}

async function start(id: string) {
  const { plan_hash, plan_version, preflight } = await product.view(id);
  const preflight_id = preflight?.preflight_id ?? '';
  return product.command(id, 'task.start', { plan_hash, plan_version, preflight_id });
}

describe('plan versions', () => {
  it('[T7] a changed plan is a new version with its own hash, and the old one starts nothing (TS-06)', async () => {
    const id = await ready();
    const old = await product.view(id);
    const change = { changes: [{ pointer: '/execution/max_pages', value: 2 }] };
    expect((await product.command(id, 'task.compile', change)).outcome).toBe('handled');
    await product.harness.until(() => product.harness.state(`task/${id}`) === 'ready');
    const view = await product.view(id);
    expect(view.plan_version).toBe(2);
    expect(view.plan_hash).not.toBe(old.plan_hash);
    expect(view.plan_history).toMatchObject([
      { plan_version: 1, plan_hash: old.plan_hash, by: 'compiler', changes: [] },
      { plan_version: 2, plan_hash: view.plan_hash, by: 'user' },
    ]);
    expect(view.plan_history?.[1]?.changes).toEqual([
      { pointer: '/execution/max_pages', before: old.task_spec?.execution.max_pages, after: 2 },
    ]);
    expect(view.origins?.['/execution/max_pages']).toBe('user');
    const { plan_hash, plan_version } = old;
    expect((await product.command(id, 'task.start', { plan_hash, plan_version })).outcome).toBe('ignored');
    expect((await start(id)).outcome).toBe('handled');
    expect(await product.ended(id)).toBe('completed');
  });

  it('[T7] a change that does not fit is refused with its reason and leaves the plan as it was', async () => {
    const id = await ready();
    const before = await product.view(id);
    const answer = await product.command(id, 'task.compile', { changes: [{ pointer: '/nothing', value: 1 }] });
    expect(answer.reply).toMatchObject({ problem: { code: 'spec.invalid' } });
    expect((await product.view(id)).plan_hash).toBe(before.plan_hash);
  });

  it('[TK-02] a start that names another check than the last one starts nothing', async () => {
    const id = await ready();
    const { plan_hash, plan_version } = await product.view(id);
    const other = { plan_hash, plan_version, preflight_id: 'pfl_other' };
    expect((await product.command(id, 'task.start', other)).outcome).toBe('ignored');
    expect((await start(id)).outcome).toBe('handled');
  });

  it('[TS-05] only an authorised probe touches the world; what it finds forbids the start', async () => {
    const id = await ready();
    await product.command(id, 'task.preflight');
    expect(product.planning.probes).toHaveLength(0);
    product.planning.findings = [
      { severity: 'error', code: 'ability.browser_unreachable', pointer: '', words: 'The browser did not start.' },
    ];
    await product.command(id, 'task.preflight', { level: 'authorized_probe' });
    await product.harness.until(() => product.harness.state(`task/${id}`) === 'ready');
    expect(product.planning.probes).toHaveLength(1);
    expect((await product.view(id)).preflight).toMatchObject({
      level: 'authorized_probe',
      preflight_id: expect.stringMatching(/-3$/) as string,
    });
    expect((await start(id)).reply).toMatchObject({ problem: { message: 'The browser did not start.' } });
    expect(product.world.sent).toEqual([]);
  });

  it('[TS-06] what is open is asked once and together, and a delegation is no demand', async () => {
    const id = await product.createTask('Compare them and tell me which one is better', { mode: 'research' });
    await product.harness.until(() => JSON.stringify(product.harness.state(`task/${id}`)).includes('clarifying'));
    const { clarifications = [], status } = await product.view(id);
    expect(status).toBe('draft');
    expect(clarifications.length).toBeGreaterThan(0);
    const partial = await product.command(id, 'task.answer', { answers: [] });
    expect(partial.reply).toMatchObject({ problem: { code: 'request.invalid' } });
    await product.command(id, 'task.answer', { decide_for_me: true });
    await product.ended(id);
    const { origins } = await product.view(id);
    for (const { pointer, default_origin } of clarifications) {
      const said = Object.entries(origins ?? {}).filter(([at]) => at === pointer || at.startsWith(`${pointer}/`));
      expect(said.map(([, origin]) => origin)).not.toContain('user');
      expect(['template', 'inferred_awaiting_confirmation']).toContain(default_origin);
    }
  });
});

describe('graph', () => {
  it('[PL-03] a missing hard need blocks what needs it, and a failed optional one is told with the node', async () => {
    product.world.failNext(BRIDGE, failure('browser.egress_refused', 'the address is not public'));
    const id = await product.createTask(`How tall is the tower? ${TOWER} ${BRIDGE}`);
    await product.ended(id);
    const { plan } = await product.view(id);
    const extract = plan.find(({ kind }) => kind === 'extract');
    expect(extract?.limitations?.join()).toContain('the address is not public');
    const none = await product.createTask('Which enzyme do purple otters of the Alder tower share with lichens?');
    await product.ended(none);
    const nodes = (await product.view(none)).plan;
    const empty = nodes.find(({ kind, status }) => kind === 'extract' && status === 'no_content');
    const verify = nodes.find(({ needs }) => needs.some(({ work_item_id }) => work_item_id === empty?.work_item_id));
    expect(verify).toMatchObject({ kind: 'verify', status: 'blocked', started_time: null });
  });

  it('[PL-05] a question is extracted when its own pages were read, while another page is still being read', async () => {
    product.world
      .add(TOWER, page('The Alder tower', '<p>The Alder tower is 321 metres tall.</p>'))
      .add(BRIDGE, page('Birch bridge', '<p>Birch bridge, 87 metres long, carries two roads.</p>'))
      .hold(BRIDGE);
    const id = await product.createTask('How tall is the Alder tower? How long is the Birch bridge?');
    await product.harness.until(() =>
      product.harness
        .outbox()
        .some(({ event }) => event.type === 'work.finished' && JSON.stringify(event).includes('"kind":"verify"')),
    );
    expect(product.world.spans.find(({ url }) => url === BRIDGE)?.to).toBe(0);
    await product.harness.advance(1000);
    product.world.release(BRIDGE);
    expect(await product.ended(id)).toBe('completed');
    const { plan, critical_path } = await product.view(id);
    const bridge = plan.find(({ kind, label }) => kind === 'read' && label.includes('Birch'));
    const early = plan.find(
      ({ kind, ended_time }) => kind === 'extract' && (ended_time ?? '') < (bridge?.ended_time ?? ''),
    );
    expect(early?.started_time).not.toBeNull();
    expect(critical_path).toContain(bridge?.work_item_id);
  });

  it('[PL-05] the critical path is the chain with the most recorded time', () => {
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
    const node = (work_item_id: string, from: number, to: number, needs: string[]) => ({
      work_item_id,
      started_time: at(from),
      ended_time: at(to),
      needs: needs.map((id) => ({ work_item_id: id, edge: 'hard' as const })),
    });
    const nodes = [node('a', 0, 1, []), node('b', 1, 9, ['a']), node('c', 1, 3, ['a']), node('d', 9, 10, ['b', 'c'])];
    expect(criticalPath(nodes)).toEqual(['a', 'b', 'd']);
    expect(criticalPath([])).toEqual([]);
  });

  it('[SE-09] the same question twice is one node of the plan', async () => {
    const id = await ready(`${QUESTION} ${QUESTION}`);
    expect((await product.view(id)).task_spec?.scope.questions).toHaveLength(1);
  });
});

describe('life cycle with checks', () => {
  async function pausedTask(): Promise<string> {
    product.world.hold(TOWER);
    const id = await product.createTask(QUESTION);
    await product.harness.until(() => product.world.spans.length > 0);
    await product.command(id, 'task.pause');
    product.world.release(TOWER);
    await product.harness.until(() => product.harness.state(`task/${id}`) === 'paused');
    return id;
  }

  it('[TK-03] a resume tells what was looked at before anything runs', async () => {
    const id = await pausedTask();
    await product.command(id, 'task.resume');
    expect(await product.ended(id)).toBe('completed');
    const [resumed] = events(id, 'run.resumed') as { checks: { check: string; ok: boolean }[] }[];
    expect(resumed?.checks.map(({ check, ok }) => [check, ok])).toEqual([
      ['permissions', true],
      ['budget', true],
      ['tools', true],
      ['checkpoint', true],
    ]);
    expect(product.planning.probes).toHaveLength(1);
  });

  it('[TK-03] tools that do not answer and an engine that is gone keep it paused, with the reason', async () => {
    const id = await pausedTask();
    product.planning.engine = MODEL;
    product.planning.findings = [
      { severity: 'error', code: 'ability.search_unreachable', pointer: '', words: 'The search did not answer.' },
    ];
    const answer = await product.command(id, 'task.resume');
    await product.harness.until(() => product.harness.state(`task/${id}`) === 'paused');
    const { operation_id } = answer.reply as { operation_id: string };
    expect(await product.reads.operations.find('default', operation_id)).toMatchObject({ status: 'refused' });
    const { problem, status } = await product.view(id);
    expect(status).toBe('paused');
    expect(problem?.message).toMatch(/permissions: .*tools: The search did not answer/u);
    product.planning.findings = [];
    product.planning.engine = { kind: 'extractive' };
    await product.command(id, 'task.resume');
    expect(await product.ended(id)).toBe('completed');
  });

  it('[TK-05] the same receipt with the same content is answered as before, also after the stop; other content is refused', async () => {
    product.world.hold(TOWER);
    const id = await product.createTask(QUESTION);
    await product.harness.until(() => product.world.spans.length > 0);
    const receipt = (type: string) => ({
      to: `task/${id}`,
      messageId: 'http:receipt-0001',
      event: { type, request_id: 'receipt-0001', operation_id: 'opr_receipt-0001' },
      priority: 'operator' as const,
    });
    const first = await product.harness.ask(receipt('task.stop'));
    product.world.release(TOWER);
    expect(await product.ended(id)).toBe('stopped');
    const again = await product.harness.ask(receipt('task.stop'));
    expect([again.outcome, again.reply]).toEqual([first.outcome, first.reply]);
    await expect(product.harness.ask(receipt('task.pause'))).rejects.toThrow('request.conflict');
  });

  it('[T10] a continued task verifies what was found again, keeps its time, reads nothing again, and leaves the old package as it was', async () => {
    product.world.readAtMs = product.harness.clock.nowMs();
    const first = await product.createTask(QUESTION);
    expect(await product.ended(first)).toBe('completed');
    const before = JSON.stringify(await product.reads.research.answerOfTask('default', first));
    const sent = product.world.sent.length;
    const second = await product.createTask(QUESTION, { parent: first });
    expect(await product.ended(second)).toBe('completed');
    expect(product.world.sent).toHaveLength(sent);
    const { continues, parent_task_id, artifacts } = await product.view(second);
    expect(parent_task_id).toBe(first);
    expect(continues).toMatchObject({
      task_id: first,
      refused: [],
      gap_fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    const [old] = await product.reads.research.sourcesOfTask('default', first);
    expect(continues?.reused).toMatchObject([{ url: TOWER, retrieved_time: old?.retrieved_time }]);
    expect(JSON.stringify(await product.reads.research.answerOfTask('default', first))).toBe(before);
    expect(artifacts[0]?.artifact_id).not.toBe((await product.view(first)).artifacts[0]?.artifact_id);
  });

  it('[T10] what another reader read, or was read too long ago, is not reused and says why (SE-10)', async () => {
    const first = await product.createTask(QUESTION);
    await product.ended(first);
    product.planning.parserVersion = 'another';
    const second = await product.createTask(QUESTION, { parent: first });
    await product.ended(second);
    const { continues } = await product.view(second);
    expect(continues?.reused).toEqual([]);
    expect(continues?.refused[0]?.obstacles).toEqual(['freshness', 'version']);
    expect(product.world.spans.filter(({ url }) => url === TOWER)).toHaveLength(2);
  });

  it('[TK-08] five tasks side by side: no marker word of one is in anything of another', async () => {
    const words = ['Quartz', 'Basalt', 'Gypsum', 'Feldspar', 'Obsidian'];
    for (const [n, word] of words.entries()) {
      const text = `<p>The ${word} lantern weighs ${17 + n} kilograms. The ${word} lantern stands in its own hall.</p>`;
      product.world.add(`http://${word.toLowerCase()}.test/`, page(`The ${word} lantern`, text));
      product.world.hold(`http://${word.toLowerCase()}.test/`);
    }
    product.world.pages.delete(TOWER);
    product.world.pages.delete(BRIDGE);
    const ids = await Promise.all(
      words.map((word) =>
        product.createTask(`How much does the ${word} lantern weigh? http://${word.toLowerCase()}.test/`),
      ),
    );
    for (const word of [...words].reverse()) product.world.release(`http://${word.toLowerCase()}.test/`);
    for (const id of ids) expect(await product.ended(id)).toBe('completed');
    for (const [n, id] of ids.entries()) {
      const { research } = product.reads;
      const own = JSON.stringify([
        await product.view(id),
        product.harness.events(`task/${id}`),
        await research.evidenceOfTask('default', id),
        await research.assertionsOfTask('default', id),
        await research.answerOfTask('default', id),
      ]);
      expect(own).toContain(words[n]);
      for (const other of words.filter((_, index) => index !== n)) expect(own).not.toContain(other);
    }
  });
});
