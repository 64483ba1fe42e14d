import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchPort } from '#contracts/ports/search.ts';
import type { SearchUsage } from '#contracts/research/search.ts';
import { systemClock } from '#runtime/main/system-time.ts';
import { createBraveProvider } from '#runtime/providers/search/brave.ts';
import { listPrices } from '#runtime/providers/search/prices.ts';
import { createSearchEntry } from '#runtime/providers/search/search-entry.ts';
import type { SearchProvider } from '#runtime/providers/search/search-provider.ts';
import { createSearxngProvider } from '#runtime/providers/search/searxng.ts';
import { searchCall } from '#tests/support/fakes/search-call.ts';
import { braveReply, searxngReply } from '#tests/support/fakes/vendors/search-engines.ts';
import {
  hangUp,
  json,
  openVendor,
  redirect,
  silence,
  type VendorServer,
} from '#tests/support/fakes/vendors/search-server.ts';

const KEY = 'brave-secret';
const RETRYABLE = { failure: { code: 'search.request_failed', retry: { kind: 'backoff' } } };
const UNAVAILABLE = { failure: { code: 'search.unavailable', retry: { kind: 'never' } } };

let vendor: VendorServer;
let usage: SearchUsage[];
beforeEach(async () => {
  vendor = await openVendor();
  usage = [];
});
afterEach(() => vendor.close());

function entryOf(provider: SearchProvider, timeoutMs = 10_000): SearchPort {
  return createSearchEntry({ provider, clock: systemClock, timeoutMs, onUsage: (one) => usage.push(one) });
}
const searxng = (url: string | null = vendor.url, timeoutMs?: number) =>
  entryOf(createSearxngProvider({ url, clock: systemClock }), timeoutMs);
const brave = (key: string | null = KEY, timeoutMs?: number) =>
  entryOf(createBraveProvider({ key, prices: listPrices, clock: systemClock, baseUrl: vendor.url }), timeoutMs);

const ENGINES = [
  { name: 'searxng', open: (timeoutMs?: number) => searxng(vendor.url, timeoutMs), reply: searxngReply },
  { name: 'brave', open: (timeoutMs?: number) => brave(KEY, timeoutMs), reply: braveReply },
];

describe.each(ENGINES)('search through $name', ({ name, open, reply }) => {
  it('[SE-11, WS-05] results are sources, without the marks of the engine, and the query that was sent is told', async () => {
    vendor.reply(reply());
    const call = searchCall();
    const found = await open().search({ brief: 'How tall is the tower?' }, call);
    expect(found).toMatchObject({
      provider: name,
      queries: ['How tall is the tower?'],
      sources: [
        { url: 'https://a.test/tower', title: 'The tower', snippet: 'It is 321 metres tall.' },
        { url: 'https://b.test/list' },
      ],
    });
    expect(call.heard).toMatchObject([
      { type: 'started', call_id: 'call-1', provider: name },
      { type: 'query', query: 'How tall is the tower?' },
      { type: 'ended', outcome: 'answered', code: null, sources: found.sources },
    ]);
  });

  it('[WS-06] only the allowed domains are asked for, and only they come back', async () => {
    vendor.reply(reply());
    const { sources } = await open().search({ brief: 'x', allowed_domains: ['a.test', 'c.test'] }, searchCall());
    expect(vendor.requests[0]?.query.get('q')).toBe('x (site:a.test OR site:c.test)');
    expect(sources.map(({ url }) => url)).toEqual(['https://a.test/tower']);
  });

  it('[WS-04] nothing found is final; no answer, no JSON and a broken connection are not', async () => {
    vendor.reply(reply([]), hangUp, (response) => void response.end('<html>'), json({}, 503));
    await expect(open().search({ brief: 'x' }, searchCall())).rejects.toMatchObject({
      failure: { code: 'search.response_invalid', retry: { kind: 'never' } },
    });
    for (let i = 0; i < 3; i++)
      await expect(open().search({ brief: 'x' }, searchCall())).rejects.toMatchObject(RETRYABLE);
    expect(vendor.requests).toHaveLength(4);
  });

  it('[SE-05] 429 carries the wait that was asked for', async () => {
    vendor.reply(json({}, 429, { 'retry-after': '2' }));
    await expect(open().search({ brief: 'x' }, searchCall())).rejects.toMatchObject({
      failure: { code: 'search.request_failed', retry: { kind: 'after', ms: 2000 } },
    });
  });

  it('[SE-05] silence is a failed request, and the connection is let go', async () => {
    vendor.reply(silence);
    await expect(open(100).search({ brief: 'x' }, searchCall())).rejects.toMatchObject(RETRYABLE);
    await (
      await vendor.received(1)
    ).closed;
  });

  it('[WS-03] a refusal and a redirect lead nowhere else, and no key travels along', async () => {
    const other = await openVendor();
    try {
      vendor.reply(json({}, 403), redirect(`${other.url}/search`));
      await expect(open().search({ brief: 'x' }, searchCall())).rejects.toMatchObject(UNAVAILABLE);
      await expect(open().search({ brief: 'x' }, searchCall())).rejects.toMatchObject(UNAVAILABLE);
      expect(vendor.requests).toHaveLength(2);
      expect(other.requests).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

describe('searxng', () => {
  it('[WS-07] costs nothing and says so', async () => {
    vendor.reply(searxngReply());
    await searxng().search({ brief: 'x' }, searchCall());
    expect(usage).toMatchObject([{ billing: 'none', outcome: 'answered', cost: null }]);
    expect(vendor.requests[0]?.query.get('format')).toBe('json');
  });

  it('[WS-04] no result because no engine answered may be asked again', async () => {
    vendor.reply(searxngReply([], ['google', 'bing']));
    await expect(searxng().search({ brief: 'x' }, searchCall())).rejects.toMatchObject(RETRYABLE);
  });

  it('[WS-03] without its address there is no search', async () => {
    await expect(searxng(null).search({ brief: 'x' }, searchCall())).rejects.toMatchObject(UNAVAILABLE);
  });

  it('[SE-11] an instance below a path is asked there', async () => {
    vendor.reply(searxngReply());
    await searxng(`${vendor.url}/searx/`).search({ brief: 'x' }, searchCall());
    expect(vendor.requests[0]?.path).toBe('/searx/search');
  });
});

describe('brave', () => {
  it('[WS-07] an answered request has its price, a refused one has none', async () => {
    vendor.reply(braveReply(), json({}, 422));
    await brave().search({ brief: 'x' }, searchCall());
    await expect(brave().search({ brief: 'x' }, searchCall())).rejects.toMatchObject({
      failure: { code: 'search.request_failed', retry: { kind: 'never' } },
    });
    expect(usage).toMatchObject([
      { billing: 'metered', amounts: { tool_calls: 1 }, cost: { micros: 5000, currency: 'USD' } },
      { billing: 'none' },
    ]);
  });

  it('[WS-03] the key is a header of the request and nowhere else; without it nothing is sent', async () => {
    await expect(brave(null).search({ brief: 'x' }, searchCall())).rejects.toMatchObject(UNAVAILABLE);
    expect(vendor.requests).toEqual([]);
    vendor.reply(braveReply());
    const call = searchCall();
    const found = await brave().search({ brief: 'x' }, call);
    expect(vendor.requests[0]?.headers['x-subscription-token']).toBe(KEY);
    expect(JSON.stringify([found, call.heard, usage])).not.toContain(KEY);
  });

  it('[SE-11] a long brief is cut to what the interface takes', async () => {
    vendor.reply(braveReply(), braveReply());
    await brave().search({ brief: 'word '.repeat(150).trim() }, searchCall());
    await brave().search({ brief: '塔'.repeat(900), allowed_domains: ['a.test'] }, searchCall());
    const [words, signs] = vendor.requests.map(({ query }) => query.get('q') ?? '');
    expect(words?.split(' ')).toHaveLength(50);
    expect(signs).toHaveLength(400);
    expect(signs?.endsWith(' site:a.test')).toBe(true);
  });

  it('[WS-09] an answer beyond all measure is refused', async () => {
    vendor.reply((response) => void response.end('x'.repeat(5_000_000)));
    await expect(brave().search({ brief: 'x' }, searchCall())).rejects.toMatchObject({
      failure: { code: 'search.response_invalid' },
    });
  });
});
