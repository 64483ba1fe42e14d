import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationDetail } from '#contracts/http/conversations.ts';
import type { TaskDetail } from '#contracts/http/tasks.ts';
import { startGateway, type GatewayHarness, type ProblemBody } from '#tests/support/fakes/gateway-harness.ts';

const API = '/api/v1';
const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Text that is only text: it is kept to the last character, whatever it looks like. */
const HARMLESS: readonly [string, string][] = [
  ['a script', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
  ['right-to-left overrides', 'file\u202Etxt.exe \u2066isolate\u2069 \u200Fmark'],
  ['exactly 20,000 characters', '问'.repeat(20_000)],
  ['SQL and shell', `'; DROP TABLE task; -- $(rm -rf /) \`id\` \${7*7} {{7*7}}`],
  ['emoji and combining marks', '👩‍👩‍👧‍👦 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L\u0301'],
  ['controls that text may hold', 'line\r\n\ttab\u0007bell\u001b[31m'],
];

/** Bodies that are refused, with what the answer is. `text` stands for the field a person types into. */
const REFUSED: readonly [string, (body: Record<string, unknown>) => unknown, number, string][] = [
  ['20,001 characters', (body) => ({ ...body, text: 'x'.repeat(20_001) }), 400, 'request.invalid'],
  ['empty text', (body) => ({ ...body, text: '' }), 400, 'request.invalid'],
  ['white space only', (body) => ({ ...body, text: ' \n\t\u3000\u200B\u00A0\uFEFF' }), 400, 'request.invalid'],
  ['NUL', (body) => ({ ...body, text: 'a\0b' }), 400, 'request.invalid'],
  [
    'a lone surrogate',
    (body) => JSON.stringify({ ...body, text: 'TEXT' }).replace('TEXT', 'a\\ud800b'),
    400,
    'request.invalid',
  ],
  ['a number for text', (body) => ({ ...body, text: 7 }), 400, 'request.invalid'],
  ['an object for text', (body) => ({ ...body, text: { $gt: '' } }), 400, 'request.invalid'],
  ['an unknown field', (body) => ({ ...body, admin: true }), 400, 'request.invalid'],
  ['__proto__', (body) => JSON.stringify(body).replace('{', '{"__proto__":{"isAdmin":true},'), 400, 'request.invalid'],
  ['constructor', (body) => ({ ...body, constructor: { prototype: { isAdmin: true } } }), 400, 'request.invalid'],
  ['deep nesting', (body) => ({ ...body, text: JSON.parse(nested(40)) as unknown }), 400, 'request.invalid'],
  ['nesting that would exhaust a parser', () => nested(200_000), 400, 'request.invalid'],
  ['2 MB', (body) => ({ ...body, text: 'x'.repeat(2_000_000) }), 413, 'request.too_large'],
  ['no JSON', () => '{"text": "a', 400, 'request.invalid'],
  ['nothing', () => '', 400, 'request.invalid'],
  ['an array', (body) => [body], 400, 'request.invalid'],
  [
    'broken UTF-8',
    (body) => {
      const bytes = utf8(JSON.stringify(body));
      return bytes.map((byte, at) => (at === bytes.indexOf(0x54) ? 0xff : byte));
    },
    400,
    'request.invalid',
  ],
];

describe('hostile input', () => {
  let host: GatewayHarness;
  let conversation: string;
  beforeEach(async () => {
    host = await startGateway();
    const body = { conversation_id: 'cnv_hostile-input' };
    await host.call(`${API}/conversations`, { method: 'POST', body });
    conversation = `${API}/conversations/${body.conversation_id}`;
  });
  afterEach(async () => host.close());

  const postMessage = (body: unknown) => host.call<ProblemBody>(`${conversation}/messages`, { method: 'POST', body });
  const askTask = (body: unknown) => host.call<ProblemBody>(`${API}/tasks`, { method: 'POST', body });

  it.each(HARMLESS)('[CH-03] %s as message text is kept as it is', async (_what, text) => {
    expect((await postMessage({ client_message_id: 'client-message-1', text })).status).toBe(202);
    expect((await host.call<ConversationDetail>(conversation)).body.messages[0]?.text).toBe(text);
  });

  it.each(HARMLESS)('[AP-01] %s as a question is kept as it is', async (_what, text) => {
    const asked = await host.call<{ task_id: string }>(`${API}/tasks`, {
      method: 'POST',
      body: { request_id: 'request-0001', text, mode: 'research' },
    });
    expect(asked.status).toBe(202);
    const { body } = await host.call<TaskDetail>(`${API}/tasks/${asked.body.task_id}`);
    expect(body.title).toBe(text.slice(0, 80));
  });

  it.each(REFUSED)(
    '[CH-03] a message with %s is refused clearly and not stored',
    async (_what, spoil, status, code) => {
      const answer = await postMessage(spoil({ client_message_id: 'client-message-1', text: 'TEXT' }));
      expect(answer).toMatchObject({ status, body: { status, code } });
      expect(answer.body.detail.length).toBeGreaterThan(10);
      expect(JSON.stringify(answer.body).length).toBeLessThan(2000);
      expect((await host.call<ConversationDetail>(conversation)).body.messages).toEqual([]);
      expect(Object.prototype).not.toHaveProperty('isAdmin');
    },
  );

  it.each(REFUSED)(
    '[AP-01] a question with %s is refused clearly and creates nothing',
    async (_what, spoil, status, code) => {
      const answer = await askTask(spoil({ request_id: 'request-0001', text: 'TEXT', mode: 'research' }));
      expect(answer).toMatchObject({ status, body: { status, code } });
      expect(host.world.ofKind('default', 'task')).toEqual([]);
    },
  );

  it('[AP-01] a problem names each wrong place', async () => {
    const { body } = await askTask({ request_id: 'short', text: 'x', mode: 'telepathy' });
    expect(body.errors?.map((one) => one.path).sort()).toEqual(['/mode', '/request_id']);
    expect(body.instance).toBe(`${API}/tasks`);
  });

  it('[AP-01] other content types and packed bodies are refused', async () => {
    const body = JSON.stringify({ client_message_id: 'client-message-1', text: 'x' });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonp',
    ]) {
      const answer = await host.call(`${conversation}/messages`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': type },
      });
      expect(answer.status, type).toBe(400);
    }
    const packed = { method: 'POST', body, headers: { 'Content-Encoding': 'gzip' } };
    expect((await host.call(`${conversation}/messages`, packed)).status).toBe(400);
  });

  it('[AP-01] a defect is logged and told to nobody', async () => {
    const logged: unknown[] = [];
    const log = (message: string, fields?: object) => void logged.push([message, fields]);
    const broken = await startGateway({
      metrics: () => Promise.reject(new Error('password=hunter2 at /srv/secret')),
      logger: { debug: log, info: log, warn: log, error: log },
    });
    try {
      const answer = await broken.call(`${API}/metrics`);
      expect(answer).toMatchObject({ status: 500, body: { code: 'actor.defect' } });
      expect(JSON.stringify(answer.body)).not.toContain('hunter2');
      expect(logged).toHaveLength(1);
    } finally {
      await broken.close();
    }
  });
});
