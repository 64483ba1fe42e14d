import { afterEach, describe, expect, it } from 'vitest';
import {
  ask,
  KEY,
  listeningLogger,
  LOOK_TOOL,
  modelWorld,
  requestOf,
  WIRES,
  type ModelWorld,
} from '#tests/support/fakes/vendors/model-harness.ts';
import { ModelServer, type Reply } from '#tests/support/fakes/vendors/model-server.ts';

let world: ModelWorld;
afterEach(() => world.server.stop());

const NOTHING_KNOWN = {
  input_tokens: null,
  cached_input_tokens: null,
  cache_write_tokens: null,
  output_tokens: null,
  reasoning_tokens: null,
};

describe.each(WIRES)('$protocol', (wire) => {
  const whole = wire.frames({ text: 'Forty-two.' });
  const errorReply = (status: number, type: string, message: string, headers = {}): Reply => ({
    status,
    headers,
    json: wire.error(type, message),
  });

  it('[MO3] a stream that ends early is unavailable and may be asked again, however it ends', async () => {
    for (let kept = 0; kept < whole.length; kept += 1) {
      // Chat has its end mark in a chunk of its own; what follows it may be missing.
      const isWhole = wire.protocol === 'openai_chat' && kept >= whole.length - 2;
      for (const end of ['end', 'reset'] as const) {
        if (isWhole && end === 'reset') continue;
        world = await modelWorld(wire, { frames: whole.slice(0, kept), end });
        const { result, failure, reports } = await ask(world.model);
        if (isWhole) expect(result?.text).toBe('Forty-two.');
        else expect(failure).toMatchObject({ code: 'model.unavailable', retry: { kind: 'backoff' } });
        expect(reports).toHaveLength(1);
        expect(reports[0]).toMatchObject({ dispatch: 'sent', usage: { output_tokens: expectedOutput(kept) } });
        expect(world.server.seen).toHaveLength(1);
        await world.server.stop();
      }
    }
    function expectedOutput(kept: number): unknown {
      // Known only when the event that counts has come: the last but one of Anthropic.
      if (wire.protocol === 'anthropic_messages') return kept >= whole.length - 1 ? 30 : null;
      return wire.protocol === 'openai_chat' && kept >= whole.length - 1 ? 30 : null;
    }
  });

  it('[MO3] a frame cut in the middle is a broken stream; a frame that is no JSON, and a web page, are not the protocol', async () => {
    const last = whole.at(-1) ?? '';
    const rows: readonly (readonly [Reply, string])[] = [
      [{ frames: [whole[0] ?? '', (whole[1] ?? '').slice(0, -20)] }, 'model.unavailable'],
      [{ frames: [whole[0] ?? '', 'event: response.x\ndata: {"type": "res\n\n', last] }, 'model.response_invalid'],
      [{ html: '<html>Log in to the network</html>' }, 'model.response_invalid'],
      [{ json: { choices: [] } }, 'model.response_invalid'],
    ];
    for (const [reply, code] of rows) {
      world = await modelWorld(wire, reply);
      const { failure, reports } = await ask(world.model);
      expect(failure?.code).toBe(code);
      expect(reports).toHaveLength(1);
      await world.server.stop();
    }
  });

  it('[MO4] a rate limit keeps the wait that was asked for, in all its spellings', async () => {
    const inHalfAMinute = new Date(Date.now() + 30_000).toUTCString();
    const rows = [
      [{ 'retry-after': '7' }, 7000, 7000],
      [{ 'retry-after-ms': '1500', 'retry-after': '2' }, 1500, 1500],
      [{ 'retry-after': inHalfAMinute }, 15_000, 31_000],
    ] as const;
    for (const [headers, least, most] of rows) {
      world = await modelWorld(wire, errorReply(429, 'rate_limit_error', 'slow down', headers));
      const { failure, reports } = await ask(world.model);
      expect(failure).toMatchObject({ code: 'model.rate_limited', retry: { kind: 'after' } });
      const waitMs = failure?.retry.kind === 'after' ? failure.retry.ms : -1;
      expect(waitMs).toBeGreaterThanOrEqual(least);
      expect(waitMs).toBeLessThanOrEqual(most);
      expect(reports).toMatchObject([{ dispatch: 'rejected', usage: NOTHING_KNOWN, failure: 'model.rate_limited' }]);
      // Nobody asked a second time.
      expect(world.server.seen).toHaveLength(1);
      await world.server.stop();
    }
  });

  it('[MO4] each kind of error answer has its own code', async () => {
    const rows = [
      [errorReply(529, 'overloaded_error', 'Overloaded'), 'model.overloaded', 'backoff'],
      [errorReply(503, 'server_error', 'busy', { 'retry-after': '3' }), 'model.overloaded', 'after'],
      [errorReply(500, 'api_error', 'oops'), 'model.unavailable', 'backoff'],
      [errorReply(429, 'insufficient_quota', 'You exceeded your quota'), 'model.rate_limited', 'never'],
      [errorReply(404, 'not_found_error', 'no such model'), 'model.not_configured', 'never'],
      [errorReply(413, 'request_too_large', 'too large'), 'model.context_overflow', 'never'],
      [
        errorReply(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
        'model.context_overflow',
        'never',
      ],
      [
        errorReply(400, 'context_length_exceeded', "This model's maximum context length is 8192 tokens."),
        'model.context_overflow',
        'never',
      ],
      [
        errorReply(400, 'exceed_context_size_error', 'the request exceeds the available context size'),
        'model.context_overflow',
        'never',
      ],
      [errorReply(400, 'content_filter', 'filtered'), 'model.refused', 'never'],
      [errorReply(400, 'invalid_request_error', 'tools.0: bad'), 'request.invalid', 'never'],
      [{ status: 502, html: '<html>Bad gateway</html>' }, 'model.unavailable', 'backoff'],
    ] as const;
    for (const [reply, code, retry] of rows) {
      world = await modelWorld(wire, reply);
      const { failure, reports } = await ask(world.model);
      expect(failure).toMatchObject({ code, retry: { kind: retry } });
      expect(reports).toMatchObject([{ dispatch: 'rejected', usage: NOTHING_KNOWN, failure: code }]);
      await world.server.stop();
    }
  });

  it('[MO4] an error in the middle of a stream has the same codes', async () => {
    const rows = [
      ['overloaded_error', 'model.overloaded'],
      ['rate_limit_exceeded', 'model.rate_limited'],
      ['server_error', 'model.unavailable'],
      ['api_error', 'model.unavailable'],
    ] as const;
    for (const [type, code] of rows) {
      world = await modelWorld(wire, { frames: [...whole.slice(0, 3), wire.errorFrame(type, 'sorry')] });
      const { failure, reports } = await ask(world.model);
      expect(failure).toMatchObject({ code, retry: { kind: 'backoff' } });
      // It had begun: it may be charged.
      expect(reports).toMatchObject([{ dispatch: 'sent', failure: code }]);
      await world.server.stop();
    }
  });

  it('[MO4] refusal, truncation and a full window are no answers, and have been paid for', async () => {
    const rows = [
      [{ refusal: 'I cannot help with that.' }, 'model.refused'],
      [{ text: 'Well', stop: 'refused' }, 'model.refused'],
      [{ text: '{"a": ', stop: 'max_output' }, 'model.truncated'],
      [{ text: 'Well', stop: 'window_full' }, 'model.context_overflow'],
    ] as const;
    for (const [answer, code] of rows) {
      // Chat completions have no word for a full window.
      if (code === 'model.context_overflow' && wire.protocol === 'openai_chat') continue;
      world = await modelWorld(wire, { frames: wire.frames(answer) });
      const { failure, reports } = await ask(world.model);
      expect(failure).toMatchObject({ code, retry: { kind: 'never' } });
      expect(reports).toMatchObject([{ dispatch: 'sent', usage: { input_tokens: 120, output_tokens: 30 } }]);
      await world.server.stop();
    }
  });

  it('[MO9] keep-alives, events of later kinds and slow drips change nothing', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const letters = whole.join('').split(/(?<=[\s\S]{40})/u);
    const slow = [wire.keepAlive, whole[0] ?? '', wire.strangeFrame, wire.keepAlive, held, ...whole.slice(1)];
    for (const frames of [slow, letters]) {
      world = await modelWorld(wire, { frames });
      const asked = ask(world.model);
      await expect.poll(() => world.server.seen.length).toBe(1);
      release();
      expect((await asked).result?.text).toBe('Forty-two.');
      await world.server.stop();
    }
  });

  it('[MO2] usage that the endpoint does not tell is unknown, not nothing', async () => {
    world = await modelWorld(wire, { frames: wire.frames({ text: 'ok', usage: null }) });
    const { result, reports } = await ask(world.model);
    expect(result?.usage).toEqual(NOTHING_KNOWN);
    expect(reports).toMatchObject([{ usage: NOTHING_KNOWN, dispatch: 'sent', failure: null }]);
  });

  it('[MO2] a listener that fails costs a line in the log and never the answer', async () => {
    const logger = listeningLogger();
    world = await modelWorld(wire, { frames: whole }, { logger });
    let told = 0;
    const fault = (): never => {
      told += 1;
      throw new TypeError('the ledger is closed');
    };
    const { result } = await ask(world.model, requestOf(), { onUsage: fault, onDelta: fault });
    expect(result?.text).toBe('Forty-two.');
    expect(told).toBeGreaterThan(1);
    expect(logger.lines).toHaveLength(told);
  });

  it('[MO1] a deadline is no abort, both end the connection, and both tell the usage once', async () => {
    world = await modelWorld(wire, { frames: whole.slice(0, 3), end: 'hold' });
    const late = await ask(world.model, requestOf(), { timeoutMs: 150 });
    expect(late.failure).toMatchObject({ code: 'model.timeout', retry: { kind: 'backoff' } });
    expect(late.reports).toMatchObject([{ dispatch: 'sent', failure: 'model.timeout' }]);
    await expect.poll(() => world.server.ended).toEqual(['left']);

    const stop = new AbortController();
    const asked = ask(world.model, requestOf(), { signal: stop.signal });
    await expect.poll(() => world.server.seen.length).toBe(2);
    stop.abort();
    const stopped = await asked;
    expect(stopped.failure).toMatchObject({ code: 'model.aborted', retry: { kind: 'never' } });
    expect(stopped.reports).toMatchObject([{ failure: 'model.aborted' }]);
    await expect.poll(() => world.server.ended).toEqual(['left', 'left']);
  });

  it('[MO3] an answer without end is given up before it fills the memory', async () => {
    const [, , piece = ''] = wire.frames({ text: 'x'.repeat(300_000) }).filter((frame) => frame.includes('xxxx'));
    const endless = Array.from({ length: 100 }, () => piece);
    world = await modelWorld(wire, { frames: [...whole.slice(0, 3), ...endless], end: 'hold' });
    const { failure } = await ask(world.model);
    expect(failure).toMatchObject({ code: 'model.response_invalid', message: 'The answer of the model has no end.' });
    await expect.poll(() => world.server.ended).toEqual(['left']);
  });

  it('[MO1] what is stopped before, or cannot be asked of the profile, is never sent', async () => {
    world = await modelWorld(wire, { frames: whole });
    const before = await ask(world.model, requestOf(), { signal: AbortSignal.abort() });
    expect(before).toMatchObject({ failure: { code: 'model.aborted' }, reports: [{ dispatch: 'not_sent' }] });
    const greedy = await ask(world.model, requestOf({ max_output_tokens: 16_001 }));
    expect(greedy).toMatchObject({ failure: { code: 'request.invalid' }, reports: [{ dispatch: 'not_sent' }] });
    const twins = await ask(world.model, requestOf({ tools: [LOOK_TOOL, LOOK_TOOL] }));
    expect(twins.failure?.code).toBe('request.invalid');
    expect(world.server.seen).toEqual([]);
  });

  it('[MO1] an endpoint that is not there is unavailable, and nothing was sent', async () => {
    world = await modelWorld(wire, { frames: whole });
    await world.server.stop();
    const { failure, reports } = await ask(world.model);
    expect(failure).toMatchObject({ code: 'model.unavailable', retry: { kind: 'backoff' } });
    expect(reports).toMatchObject([{ dispatch: 'not_sent' }]);
    world = await modelWorld(wire, { frames: whole });
  });

  it('[MO6] the key reaches the endpoint and nobody else: no failure, no log, no second server', async () => {
    const logger = listeningLogger();
    const elsewhere = await ModelServer.start({ frames: whole });
    const echo = `Incorrect API key provided: ${KEY}. Bearer ${KEY}`;
    const replies: Reply[] = [
      errorReply(401, 'authentication_error', echo),
      errorReply(500, 'api_error', echo),
      { frames: [whole[0] ?? '', wire.errorFrame('api_error', echo)] },
      { frames: ['data: {"broken\n\n'] },
      { status: 307, headers: { location: `${elsewhere.url}/v1` }, json: {} },
    ];
    world = await modelWorld(wire, (_, at) => replies[at] ?? {}, { logger });
    const codes: (string | undefined)[] = [];
    for (const _ of replies) {
      const asked = await ask(world.model);
      codes.push(asked.failure?.code);
      const error = asked.thrown as Error;
      expect(
        JSON.stringify([asked.failure, asked.reports, error.message, error.stack, String(error.cause)]),
      ).not.toContain(KEY);
    }
    expect(codes).toEqual([
      'model.unauthenticated',
      'model.unavailable',
      'model.unavailable',
      wire.protocol === 'anthropic_messages' ? 'model.unavailable' : 'model.response_invalid',
      'model.not_configured',
    ]);
    expect(logger.lines.join('\n')).not.toContain(KEY);
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.stop();
    const headers = world.server.seen[0]?.headers;
    expect(headers?.['x-api-key'] ?? headers?.authorization).toContain(KEY);
  });

  it('[MO6] without a key no header of one is sent', async () => {
    world = await modelWorld(wire, { frames: whole }, { key: '' });
    expect((await ask(world.model)).result?.text).toBe('Forty-two.');
    const headers = world.server.seen[0]?.headers ?? {};
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('x-api-key');
  });
});
