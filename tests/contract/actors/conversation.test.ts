import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page } from '#tests/support/fakes/page-world.ts';
import { ProductHarness } from '#tests/support/harness/product-harness.ts';

const CONVERSATION = 'cnv_talk-0001';
const ADDRESS = `conversation/${CONVERSATION}`;

let product: ProductHarness;
let turn = 0;

beforeEach(async () => {
  turn = 0;
  product = new ProductHarness();
  product.world.add(
    'http://tower.test/alder',
    page('The Alder tower', '<p>The Alder tower is 321 metres tall. It was finished in 1961.</p>'),
  );
  await product.start();
  await product.harness.create(ADDRESS, { conversation_id: CONVERSATION, created_time: '2026-11-30T00:00:00.000Z' });
});

afterEach(() => product.harness.stop());

function messageOf(text: string, mode = 'smart') {
  turn += 1;
  return {
    type: 'conversation.message.post',
    client_message_id: `client-000${turn}`,
    message_id: `msg_turn-000${turn}`,
    message_revision_id: `mrv_turn-000${turn}-1`,
    turn_id: `trn_turn-000${turn}`,
    text,
    mode,
    request_hash: 'h',
    time: '2026-11-30T00:00:01.000Z',
  };
}

const post = (text: string, mode = 'smart') => product.harness.ask({ to: ADDRESS, event: messageOf(text, mode) });

const messages = () => product.reads.conversations.messages('default', CONVERSATION);

describe('conversation', () => {
  it('[CV1] message, revision, turn and task are made by one commit; the reply is the place of the message (CH-03)', async () => {
    const stored = await post('How tall is the Alder tower?');
    expect(stored.reply).toMatchObject({
      message_id: 'msg_turn-0001',
      turn_id: 'trn_turn-0001',
      conversation_seq: '2',
    });
    const rows = product.harness.transitions(ADDRESS);
    expect(rows.filter(({ eventType }) => eventType === 'conversation.message.post')).toHaveLength(1);
    expect(product.harness.writes('turn')).toHaveLength(1);
    expect(product.harness.writes('message_revision').length).toBeGreaterThanOrEqual(2);
    const created = product.harness.outbox('task/tsk_turn-0001').filter(({ create }) => create !== undefined);
    expect(created).toHaveLength(1);
  });

  it('[CV1] a task that a message names can be looked up from the very commit of the message on (CH-03)', async () => {
    let commits = 0;
    product.harness.process().onCall = (call) => (call === 'commit' && (commits += 1) === 1 ? 'kill-after' : null);
    await product.harness.inject({ from: 'http', to: ADDRESS, event: messageOf('How tall is the Alder tower?') });
    expect(commits).toBe(1);
    expect(await product.reads.tasks.find('default', 'tsk_turn-0001')).toMatchObject({ status: 'draft' });
  });

  it.each([
    ['hello', 'text'],
    ['你好！', 'text'],
    ['谢谢', 'text'],
    ['open that CSV', 'text'],
    ['打开那个报告', 'text'],
    ['你是谁？', 'text'],
  ])('[CV2] %j starts no task, no search and no browser (CH-02)', async (text, kind) => {
    await post(text);
    const [, answer] = await messages();
    expect(answer?.parts[0]?.kind).toBe(kind);
    expect(answer?.task_id).toBeNull();
    expect(product.harness.outbox().filter(({ to }) => to.startsWith('task/'))).toEqual([]);
    expect(product.world.sent).toEqual([]);
  });

  it.each(['dataset', 'hybrid'])('[CV2] the mode %s is said to be unavailable and starts nothing', async (mode) => {
    await post('列出所有产品', mode);
    const [, answer] = await messages();
    expect(answer?.parts[0]).toMatchObject({ kind: 'text' });
    expect(product.world.sent).toEqual([]);
  });

  it('[CV3] the assistant message shows progress by reference and gets its answer from the ending of the task (CH-06)', async () => {
    await post('How tall is the Alder tower?');
    expect((await messages())[1]?.parts.map(({ kind }) => kind)).toEqual(['progress']);
    await product.ended('tsk_turn-0001');
    await product.harness.runUntilIdle();
    const answer = (await messages())[1];
    expect(answer?.parts.map(({ kind }) => kind)).toEqual(['progress', 'text', 'citation', 'artifact']);
    const [citation] = answer?.parts.flatMap((part) => (part.kind === 'citation' ? part.citations : [])) ?? [];
    expect(citation?.quote).toContain('321 metres');
  });

  it('[CH-05] an edit of the latest revision is appended, one of an older revision is ignored', async () => {
    await post('hello');
    const revise = (base: string, next: string) =>
      product.harness.ask({
        to: ADDRESS,
        event: {
          type: 'conversation.message.revise',
          message_id: 'msg_turn-0001',
          base_revision_id: base,
          message_revision_id: next,
          text: 'hello again',
          time: '2026-11-30T00:00:02.000Z',
        },
      });
    expect((await revise('mrv_turn-0001-1', 'mrv_turn-0001-2')).outcome).toBe('handled');
    expect((await revise('mrv_turn-0001-1', 'mrv_turn-0001-3')).outcome).toBe('ignored');
    expect((await messages())[0]).toMatchObject({ text: 'hello again', revision: 2, edited: true });
  });

  it('[CH-09] hiding a conversation stops nothing', async () => {
    product.world.hold('http://tower.test/alder');
    await post('How tall is the Alder tower?');
    await product.harness.until(() => product.world.sent.length === 1);
    await product.harness.ask({ to: ADDRESS, event: { type: 'conversation.hide', hidden: true } });
    product.world.release('http://tower.test/alder');
    expect(await product.ended('tsk_turn-0001')).toBe('completed');
  });

  it('[CH-08] the latest result of the conversation can be opened again', async () => {
    await post('How tall is the Alder tower?');
    await product.ended('tsk_turn-0001');
    await product.harness.runUntilIdle();
    await post('open the report');
    const last = (await messages()).at(-1);
    expect(last?.parts.map(({ kind }) => kind)).toEqual(['text', 'artifact']);
  });

  it('[AP-02] the conversation numbers its events as the runtime does', async () => {
    await post('hello');
    await post('thanks');
    const seqs = product.harness.events(ADDRESS).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect((await product.reads.conversations.find('default', CONVERSATION))?.conversation_seq).toBe(
      String(seqs.length),
    );
  });
});
