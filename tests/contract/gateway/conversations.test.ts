import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationDetail, MessageStored } from '#contracts/http/conversations.ts';
import { startGateway, type GatewayHarness, type ProblemBody } from '#tests/support/fakes/gateway-harness.ts';

const API = '/api/v1';
const FIRST = { client_message_id: 'client-message-1', text: 'What is npm ci?' };

describe('conversations over HTTP', () => {
  let host: GatewayHarness;
  let path: string;
  const post = <T = MessageStored>(body: object, headers: Record<string, string> = {}) =>
    host.call<T>(`${path}/messages`, { method: 'POST', body, headers });
  const detail = async () => (await host.call<ConversationDetail>(path)).body;

  beforeEach(async () => {
    host = await startGateway();
    const { body } = await host.call<{ conversation_id: string }>(`${API}/conversations`, { method: 'POST', body: {} });
    path = `${API}/conversations/${body.conversation_id}`;
  });
  afterEach(async () => host.close());

  it('[AP-01] creates a conversation once, also when the request is repeated', async () => {
    const body = { conversation_id: 'cnv_made-by-client', title: '第一次' };
    const create = () => host.call(`${API}/conversations`, { method: 'POST', body });
    expect(await create()).toMatchObject({ status: 201, body: { conversation_id: 'cnv_made-by-client' } });
    host.clock.advance(60_000);
    expect((await create()).status).toBe(201);
    const { body: listed } = await host.call<{ conversations: { title: string }[] }>(`${API}/conversations`);
    expect(listed.conversations.map((one) => one.title)).toEqual(['', '第一次']);
  });

  it('[CH-03] the answer to a message acknowledges what is stored', async () => {
    const stored = await post(FIRST);
    expect(stored.status).toBe(202);
    expect((await detail()).messages).toMatchObject([
      { ...stored.body, conversation_seq: '2', ...FIRST, mode: 'smart' },
    ]);
  });

  it('[CH-04] the same id with the same content is the same message, also later', async () => {
    const first = await post(FIRST);
    host.clock.advance(3_600_000);
    const again = await post(FIRST, { 'Idempotency-Key': FIRST.client_message_id });
    expect(again).toMatchObject({ status: 202, body: first.body });
    expect((await detail()).messages).toHaveLength(1);
  });

  it.each([
    ['text', { ...FIRST, text: 'What is npm install?' }],
    ['mode', { ...FIRST, mode: 'research' }],
    ['attachments', { ...FIRST, attachment_ids: ['a'] }],
  ])('[CH-04] the same id with other %s is a conflict and stores nothing', async (_what, body) => {
    await post(FIRST);
    const refused = await post<ProblemBody>(body);
    expect(refused).toMatchObject({ status: 409, body: { code: 'request.conflict', status: 409 } });
    expect((await detail()).messages).toHaveLength(1);
  });

  it('[CH-04] an Idempotency-Key that contradicts the body is refused', async () => {
    const refused = await post<ProblemBody>(FIRST, { 'Idempotency-Key': 'another-key-1' });
    expect(refused).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
  });

  it('[CH-04] twenty posts of one message at once store it once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(FIRST)));
    expect(new Set(answers.map((one) => JSON.stringify(one.body)))).toHaveProperty('size', 1);
    expect((await detail()).messages).toHaveLength(1);
  });

  describe('editing', () => {
    let stored: MessageStored;
    const revise = <T = MessageStored>(body: object, headers: Record<string, string> = {}) =>
      host.call<T>(`${path}/messages/${stored.message_id}/revisions`, { method: 'POST', body, headers });
    const change = (text: string) => ({ base_revision_id: stored.message_revision_id, text });

    beforeEach(async () => {
      stored = (await post(FIRST)).body;
    });

    it('[CH-05] appends a revision; the same request again answers the same', async () => {
      const headers = { 'If-Match': `"${stored.message_revision_id}"` };
      const revised = await revise(change('What is npm?'), headers);
      expect(revised.status).toBe(201);
      expect(revised.body.message_revision_id).not.toBe(stored.message_revision_id);
      host.clock.advance(1000);
      expect(await revise(change('What is npm?'), headers)).toMatchObject({ status: 201, body: revised.body });
      expect((await detail()).messages).toMatchObject([{ revision: 2, text: 'What is npm?', edited: true }]);
    });

    it('[CH-05] without If-Match it is 428', async () => {
      expect(await revise<ProblemBody>(change('x'))).toMatchObject({
        status: 428,
        body: { code: 'request.precondition_required' },
      });
    });

    it('[CH-05] a revision that is no longer the latest, a foreign tag and another base text are 412', async () => {
      const headers = { 'If-Match': `"${stored.message_revision_id}"` };
      const otherHash = createHash('sha256').update('something else').digest('hex');
      expect((await revise({ ...change('y'), base_hash: otherHash }, headers)).status).toBe(412);
      expect((await revise(change('y'), { 'If-Match': '"mrv_another00"' })).status).toBe(412);
      await revise(change('first wins'), headers);
      const lost = await revise<ProblemBody>(change('second loses'), headers);
      expect(lost).toMatchObject({ status: 412, body: { code: 'request.precondition_failed' } });
      expect((await detail()).messages).toMatchObject([{ text: 'first wins' }]);
    });

    it('[CH-05] of two edits of one revision at once exactly one wins', async () => {
      const headers = { 'If-Match': `"${stored.message_revision_id}"` };
      const answers = await Promise.all(['one', 'two'].map((text) => revise(change(text), headers)));
      expect(answers.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([201, 412]);
    });
  });

  it('[CH-09] renaming and hiding are kept; an empty change is refused', async () => {
    const body = { title: '改名', hidden: true };
    expect(await host.call(path, { method: 'PATCH', body })).toMatchObject({ status: 200, body });
    expect((await host.call(path, { method: 'PATCH', body: {} })).status).toBe(400);
  });

  it('[AP-01] another project, an unknown project and an unknown conversation are all 404', async () => {
    const other = { headers: { 'X-Project-ID': 'other' } };
    expect((await host.call(path, other)).status).toBe(404);
    expect((await host.call(`${path}/events`, other)).status).toBe(404);
    expect((await host.call(`${path}/messages`, { ...other, method: 'POST', body: FIRST })).status).toBe(404);
    const nowhere = { headers: { 'X-Project-ID': 'nowhere' } };
    expect((await host.call(`${API}/conversations`, nowhere)).status).toBe(404);
    expect((await host.call(`${API}/conversations`, { ...nowhere, method: 'POST', body: {} })).status).toBe(404);
    expect((await host.call(`${API}/conversations/cnv_unknown000`)).status).toBe(404);
    expect((await host.call(`${API}/conversations/..%2f..%2fetc`)).status).toBe(404);
    expect((await host.call(path)).status).toBe(200);
  });
});
