import { describe, expect, it } from 'vitest';
import { failure, PlatformError, type FailureCode } from '#contracts/errors.ts';
import type { Clock } from '#contracts/ports/clock.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import type { SearchResponse } from '#contracts/research/search.ts';
import { createSearchEntry, type SearchUsage } from '#runtime/providers/search/search-entry.ts';

const GOOD: SearchResponse = {
  provider: 'test',
  query: 'q',
  report: 'found',
  queries: ['q'],
  sources: [{ url: 'https://a.test/1', title: 'A' }],
  images: [],
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

function entry(search: SearchPort['search'], clock = handClock()) {
  const usage: SearchUsage[] = [];
  const port = createSearchEntry({ provider: { provider: 'test', search }, clock, onUsage: (one) => usage.push(one) });
  return { port, usage, clock };
}

const call = (signal = new AbortController().signal) => ({ project: 'default', callId: 'call-1', signal });
const answering = (response: unknown) => entry(() => Promise.resolve(response as SearchResponse));

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
    expect(good.usage).toMatchObject([{ callId: 'call-1', provider: 'test', outcome: 'answered' }]);
    const gated = answering({});
    await codeOf(gated.port.search({ brief: 'x' }, call()));
    expect(gated.usage).toHaveLength(1);
    const failing = entry(() => Promise.reject(new Error('no')));
    await codeOf(failing.port.search({ brief: 'x' }, call()));
    expect(failing.usage).toMatchObject([{ outcome: 'failed' }]);
    const onUsage = () => {
      throw new Error('accounts are down');
    };
    const provider: SearchPort = { provider: 'test', search: () => Promise.resolve(GOOD) };
    const port = createSearchEntry({ provider, clock: handClock(), onUsage });
    expect(await codeOf(port.search({ brief: 'x' }, call()))).toBe('none');
  });
});
