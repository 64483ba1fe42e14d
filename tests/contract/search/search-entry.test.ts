import { describe, expect, it } from 'vitest';
import { failure, PlatformError, type FailureCode } from '#contracts/errors.ts';
import type { Clock } from '#contracts/ports/clock.ts';
import { silentLogger } from '#contracts/ports/logger.ts';
import type { SearchUsage } from '#contracts/research/search.ts';
import { createSearchEntry } from '#runtime/providers/search/search-entry.ts';
import type { ProviderAnswer, SearchProvider } from '#runtime/providers/search/search-provider.ts';
import { searchCall } from '#tests/support/fakes/search-call.ts';

const GOOD: ProviderAnswer = {
  query: 'q',
  report: 'found',
  queries: ['q'],
  sources: [{ url: 'https://a.test/1', title: 'A' }],
  images: [],
  completedCalls: 1,
};

/** A clock whose only timer is fired by hand. */
function handClock(): Clock & { fire(): void } {
  let due: (() => void) | null = null;
  return {
    nowMs: () => 0,
    after: (_ms, callback) => {
      due = callback;
      return () => (due = null);
    },
    fire: () => due?.(),
  };
}

function entry(search: SearchProvider['search'], clock = handClock()) {
  const usage: SearchUsage[] = [];
  const port = createSearchEntry({ provider: { provider: 'test', search }, clock, onUsage: (one) => usage.push(one) });
  return { port, usage, clock };
}

const call = (signal = new AbortController().signal) => searchCall({ signal });
const answering = (response: unknown) => entry(() => Promise.resolve(response as ProviderAnswer));

async function codeOf(work: Promise<unknown>): Promise<FailureCode | 'none'> {
  return work.then(
    () => 'none' as const,
    (error: unknown) => (error instanceof PlatformError ? error.failure.code : 'none'),
  );
}

describe('search entry', () => {
  it('[SE-03] only a brief of 1 to 1000 characters and up to 20 domains pass', async () => {
    const { port, usage } = answering(GOOD);
    const bad: unknown[] = [
      { brief: '' },
      { brief: '   ' },
      { brief: 'x'.repeat(1001) },
      { brief: 'x', allowed_domains: Array.from({ length: 21 }, (_, i) => `d${i}.test`) },
      { brief: 'x', allowed_domains: ['http://a'] },
      { brief: 'x', page_size: 50 },
      null,
    ];
    for (const request of bad) expect(await codeOf(port.search(request as never, call()))).toBe('request.invalid');
    expect(usage).toEqual([]);
    expect((await port.search({ brief: 'x'.repeat(1000) }, call())).sources).toHaveLength(1);
  });

  it('[SE-03] only web addresses survive, each once, within the limits', async () => {
    const urls = [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'ftp://a.test',
      'https://u:p@a.test/',
      'no url',
      7,
      null,
    ];
    const many = Array.from({ length: 60 }, (_, i) => ({ url: `https://a.test/${i % 50}`, title: 't'.repeat(900) }));
    const { port } = answering({
      ...GOOD,
      report: 'r'.repeat(40_000),
      queries: Array.from({ length: 50 }, () => 'q'),
      sources: [...urls.map((url) => ({ url, title: 'x' })), ...many],
      images: [...urls, ...Array.from({ length: 30 }, (_, i) => `https://a.test/${i}.png`)],
    });
    const found = await port.search({ brief: 'x' }, call());
    expect(found.sources).toHaveLength(32);
    expect(new Set(found.sources.map(({ url }) => url)).size).toBe(32);
    expect(found.sources.every(({ url }) => url.startsWith('https://a.test/'))).toBe(true);
    expect([found.report.length, found.queries.length, found.images.length]).toEqual([30_000, 32, 16]);
  });

  it('[SE-04] no report or no structured source is refused and never retried', async () => {
    for (const bad of [
      { ...GOOD, report: '  ' },
      { ...GOOD, sources: [] },
      {},
      null,
      'text',
      { ...GOOD, sources: 'x' },
    ]) {
      const work = answering(bad).port.search({ brief: 'x' }, call());
      await expect(work).rejects.toMatchObject({
        failure: { code: 'search.response_invalid', retry: { kind: 'never' } },
      });
    }
  });

  it('[SE-05] a time-out is a failed request that may be repeated, an abort is an abort', async () => {
    const waiting = entry(() => new Promise(() => undefined));
    const timedOut = waiting.port.search({ brief: 'x' }, call());
    waiting.clock.fire();
    await expect(timedOut).rejects.toMatchObject({
      failure: { code: 'search.request_failed', retry: { kind: 'backoff' } },
    });

    const abort = new AbortController();
    const stopped = entry(() => new Promise(() => undefined)).port.search({ brief: 'x' }, call(abort.signal));
    abort.abort();
    expect(await codeOf(stopped)).toBe('search.aborted');
    expect(await codeOf(answering(GOOD).port.search({ brief: 'x' }, call(abort.signal)))).toBe('search.aborted');
  });

  it('[SE-05] a time-out that is followed by a stop stays a time-out', async () => {
    const stop = new AbortController();
    const { port, clock } = entry(() => new Promise(() => undefined));
    const work = port.search({ brief: 'x' }, call(stop.signal));
    clock.fire();
    stop.abort();
    expect(await codeOf(work)).toBe('search.request_failed');
  });

  it('[SE-05] whatever a provider throws becomes one of the four words', async () => {
    const thrown: [unknown, FailureCode][] = [
      [new TypeError('fetch failed'), 'search.request_failed'],
      [new PlatformError(failure('store.unavailable', 'down')), 'search.request_failed'],
      [new PlatformError(failure('search.unavailable', 'no key')), 'search.unavailable'],
      [new PlatformError(failure('search.response_invalid', 'nothing')), 'search.response_invalid'],
    ];
    for (const [error, code] of thrown) {
      expect(await codeOf(entry(() => Promise.reject(error as Error)).port.search({ brief: 'x' }, call()))).toBe(code);
    }
  });

  it('[SE-06] usage is told once a call, also when the gate refuses or the provider fails, and its faults harm nothing', async () => {
    const good = answering(GOOD);
    await good.port.search({ brief: 'x' }, call());
    expect(good.usage).toMatchObject([{ call_id: 'call-1', provider: 'test', outcome: 'answered' }]);
    const gated = answering({});
    await codeOf(gated.port.search({ brief: 'x' }, call()));
    expect(gated.usage).toHaveLength(1);
    const failing = entry(() => Promise.reject(new Error('no')));
    await codeOf(failing.port.search({ brief: 'x' }, call()));
    expect(failing.usage).toMatchObject([{ outcome: 'failed' }]);
    const onUsage = () => {
      throw new Error('accounts are down');
    };
    const provider: SearchProvider = { provider: 'test', search: () => Promise.resolve(GOOD) };
    const port = createSearchEntry({ provider, clock: handClock(), onUsage });
    expect(await codeOf(port.search({ brief: 'x' }, call()))).toBe('none');
  });

  it('[WS-11] a search without a reason is refused, is no item and costs nothing', async () => {
    const { port, usage } = answering(GOOD);
    for (const reason of [undefined, '', 'because']) {
      const asked = searchCall({ reason: reason as never });
      expect(await codeOf(port.search({ brief: 'x' }, asked))).toBe('request.invalid');
      expect(asked.heard).toEqual([]);
    }
    expect(usage).toEqual([]);
  });

  it('[WS-05] an item is there from the start, its query when it is delivered, and it ends once', async () => {
    const heard: string[] = [];
    let go = (): void => undefined;
    const { port } = entry(async (_request, { news }) => {
      await new Promise<void>((resolve) => (go = resolve));
      news.query('  real query ');
      news.query('real query');
      news.query('');
      return GOOD;
    });
    const work = port.search({ brief: 'brief' }, searchCall({ onEvent: (event) => heard.push(JSON.stringify(event)) }));
    expect(heard).toHaveLength(1);
    expect(JSON.parse(heard[0] ?? '')).toEqual({ type: 'started', call_id: 'call-1', provider: 'test', at_ms: 0 });
    expect(heard.join('')).not.toContain('brief');
    go();
    await work;
    expect(heard.map((event) => (JSON.parse(event) as { type: string }).type)).toEqual(['started', 'query', 'ended']);
    expect(JSON.parse(heard[1] ?? '')).toMatchObject({ query: 'real query' });
  });

  it('[WS-05] an item that failed says so with its word, and nothing is heard of it afterwards', async () => {
    let late = (): void => undefined;
    const { port, clock } = entry((_request, { news }) => {
      late = () => news.query('too late');
      return new Promise(() => undefined);
    });
    const asked = searchCall();
    const work = port.search({ brief: 'x' }, asked);
    clock.fire();
    expect(await codeOf(work)).toBe('search.request_failed');
    late();
    expect(asked.heard.map(({ type }) => type)).toEqual(['started', 'ended']);
    expect(asked.heard.at(-1)).toMatchObject({ outcome: 'failed', code: 'search.request_failed', sources: [] });
  });

  it('[WS-05] a listener that fails harms nothing', async () => {
    let told = 0;
    const onEvent = (): void => {
      told += 1;
      throw new Error('the page is gone');
    };
    expect(await codeOf(answering(GOOD).port.search({ brief: 'x' }, searchCall({ onEvent })))).toBe('none');
    expect(told).toBe(2);
  });

  it('[WS-04] without a completed look-up a good-looking answer is memory', async () => {
    for (const completedCalls of [0, undefined, '1']) {
      const work = answering({ ...GOOD, completedCalls }).port.search({ brief: 'x' }, call());
      await expect(work).rejects.toMatchObject({ failure: { code: 'search.response_invalid' } });
    }
  });

  it('[WS-06] sources outside the allowed domains do not come back, whatever the provider thinks', async () => {
    const urls = ['https://a.test/1', 'https://docs.a.test/2', 'https://nota.test/3', 'https://a.test.evil.test/4'];
    const { port } = answering({ ...GOOD, sources: urls.map((url) => ({ url, title: 'x' })) });
    const found = await port.search({ brief: 'x', allowed_domains: ['a.test'] }, call());
    expect(found.sources.map(({ url }) => url)).toEqual(urls.slice(0, 2));
  });

  it('[WS-07] usage is told before the gate judges, and once although the provider tells more later', async () => {
    let later = (): void => undefined;
    const amounts = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, tool_calls: 1 };
    const cost = { currency: 'USD', micros: 7, price_version: 'v1' };
    const { port, usage } = entry((_request, { news }) => {
      news.sent();
      news.used(amounts, cost);
      later = () => news.used({ ...amounts, input_tokens: 99 }, cost);
      return Promise.resolve({ ...GOOD, sources: [] });
    });
    const seen: number[] = [];
    const asked = searchCall({ onEvent: () => seen.push(usage.length) });
    expect(await codeOf(port.search({ brief: 'x' }, asked))).toBe('search.response_invalid');
    later();
    expect(seen).toEqual([0, 1]);
    expect(usage).toMatchObject([{ call_id: 'call-1', billing: 'metered', amounts, cost, outcome: 'answered' }]);
  });

  it('[WS-07] what was sent and never settled is unknown, what never left is nothing', async () => {
    const failing = (news: 'sent' | 'turned away' | 'kept') =>
      entry((_request, call) => {
        if (news !== 'kept') call.news.sent();
        if (news === 'turned away') call.news.turnedAway();
        return Promise.reject(new Error('no'));
      });
    for (const [news, billing] of [
      ['sent', 'unknown'],
      ['turned away', 'none'],
      ['kept', 'none'],
    ] as const) {
      const { port, usage } = failing(news);
      await codeOf(port.search({ brief: 'x' }, call()));
      expect(usage).toMatchObject([{ billing, outcome: 'failed', amounts: null, cost: null }]);
    }
  });

  it('[WS-08] accounts that are down fail no search, and it is logged', async () => {
    const logged: string[] = [];
    const logger = { ...silentLogger, error: (message: string) => void logged.push(message) };
    const onUsage = () => {
      throw new Error('accounts are down');
    };
    const provider: SearchProvider = { provider: 'test', search: () => Promise.resolve(GOOD) };
    const port = createSearchEntry({ provider, clock: handClock(), logger, onUsage });
    expect((await port.search({ brief: 'x' }, call())).sources).toHaveLength(1);
    expect(logged).toEqual(['the usage of a search could not be recorded']);
  });

  it('[WS-03] the text of a foreign error is not repeated, because it may hold a key', async () => {
    const { port } = entry(() => Promise.reject(new TypeError('bad header value: sk-secret')));
    const thrown = await port.search({ brief: 'x' }, call()).catch((error: unknown) => error);
    expect(String(thrown) + JSON.stringify((thrown as PlatformError).failure)).not.toContain('sk-');
  });
});
