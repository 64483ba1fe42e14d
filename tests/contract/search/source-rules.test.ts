import { describe, expect, it } from 'vitest';
import { screenCandidates } from '#contracts/research/candidate-log.ts';
import { judgeReuse, type HeldSource, type ReuseNeed } from '#contracts/research/reuse.ts';
import type { SearchResponse } from '#contracts/research/search.ts';
import { familiesOf, independentVoices, type SourceTrace } from '#contracts/research/source-family.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import { comparableAddress, siteOf } from '#contracts/research/web-page-address.ts';

const trace = (source_id: string, url: string, more: Partial<SourceTrace> = {}): SourceTrace => ({
  source_id,
  url,
  ...more,
});
const members = (sources: readonly SourceTrace[]) => familiesOf(sources).map((family) => family.members);

describe('source families', () => {
  it('[SE-09] three reprints of one report are one voice, whatever their domains', () => {
    const original = 'https://agency.test/report';
    const sources = [
      trace('a', original),
      trace('b', 'https://daily.test/1', { reprinted_from: original }),
      trace('c', 'https://portal.test/x', { canonical_url: `${original}?utm_source=portal` }),
      trace('d', 'https://other.test/own'),
    ];
    expect(members(sources)).toEqual([['a', 'b', 'c'], ['d']]);
    expect(independentVoices(sources)).toBe(2);
  });

  it('[SE-09] one house with two domains, one author on two platforms, one text on two sites: one voice each', () => {
    const sources = [
      trace('a', 'https://museum.test/a', { publisher: 'City Museum' }),
      trace('b', 'https://visit.test/b', { publisher: 'city  museum' }),
      trace('c', 'https://x.com/ann/1', { author: 'Ann Li' }),
      trace('d', 'https://medium.com/@ann/1', { author: 'ann li' }),
      trace('e', 'https://one.test/', { content_hash: 'f00' }),
      trace('f', 'https://two.test/', { content_hash: 'f00' }),
    ];
    expect(members(sources)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ]);
    expect(familiesOf(sources)[0]?.shared).toEqual(['publisher city museum']);
  });

  it('[SE-09] a link between two groups makes them one, in any order', () => {
    const a = trace('a', 'https://a.test/');
    const b = trace('b', 'https://b.test/');
    const bridge = trace('c', 'https://a.test/2', { reprinted_from: 'https://b.test/' });
    for (const order of [
      [a, b, bridge],
      [bridge, b, a],
      [b, bridge, a],
    ]) {
      expect(independentVoices(order)).toBe(1);
    }
  });

  it('[SE-09] what is not known joins nothing', () => {
    const unknown = { publisher: '', author: null, canonical_url: null };
    expect(independentVoices([trace('a', 'https://a.test', unknown), trace('b', 'https://b.test', unknown)])).toBe(2);
  });

  it.each([
    ['https://www.bbc.co.uk/news', 'bbc.co.uk'],
    ['https://a.b.example.com.cn/x', 'example.com.cn'],
    ['https://ann.github.io/x', 'ann.github.io'],
    ['https://github.com/Ann/tool', 'github.com/ann'],
    ['https://docs.example.org:8443/', 'example.org'],
    ['http://127.0.0.1:8080/a', '127.0.0.1'],
    ['https://com.cn/', 'com.cn'],
  ])('[SE-09] %s is run by %s', (url, site) => {
    expect(siteOf(url)).toBe(site);
  });

  it('[SE-09] spellings of one page are one page', () => {
    const spellings = [
      'https://www.a.test/x?b=2&a=1#top',
      'http://a.test/x/?a=1&b=2&utm_source=q',
      'https://m.a.test/x?a=1&b=2',
    ];
    expect(new Set(spellings.map(comparableAddress)).size).toBe(1);
    expect(comparableAddress('https://a.test/x?page=2')).not.toBe(comparableAddress('https://a.test/x?page=3'));
  });
});

describe('candidates', () => {
  const response = (...urls: string[]): SearchResponse => ({
    provider: 'test',
    query: 'q',
    report: 'r',
    queries: ['q'],
    sources: urls.map((url) => ({ url, title: `about ${url}` })),
    images: [],
  });

  it('[SE-09] each has what found it and why it was left out', () => {
    const found = [
      { brief: 'one', response: response('https://a.test/1', 'https://a.test/1#part', 'https://b.test/2') },
      { brief: 'two', response: response('https://b.test/2', 'https://c.test/3') },
    ];
    const { kept, log } = screenCandidates(found, 2);
    expect(kept.map(({ url }) => url)).toEqual(['https://a.test/1', 'https://b.test/2']);
    expect(log).toMatchObject([
      { url: 'https://a.test/1', found_by: ['one'], site: 'a.test', rejected: null },
      { url: 'https://a.test/1#part', rejected: { reason: 'same_page', same_as: 'https://a.test/1' } },
      { url: 'https://b.test/2', found_by: ['one', 'two'], rejected: null },
      { url: 'https://c.test/3', found_by: ['two'], rejected: { reason: 'over_limit', same_as: null } },
    ]);
  });
});

describe('reuse', () => {
  const revision = (change: Partial<SourceRevision> = {}): SourceRevision => ({
    source_revision_id: 'srv_00000001',
    task_id: 'tsk_00000001',
    requested_url: 'https://a.test/',
    final_url: 'https://a.test/',
    method: 'browser',
    retrieved_time: '2026-11-01T08:00:00Z',
    parser_version: 'reader/3',
    content_hash: 'a'.repeat(64),
    title: 'A',
    language: 'en',
    page_kind: 'article',
    text: 'text',
    blocks: [],
    tables: [],
    fields: {},
    unread: [],
    rights: { visibility: 'project', note: '' },
    ...change,
  });
  const held = (change: Partial<HeldSource> = {}): HeldSource => ({
    project: 'default',
    revision: revision(),
    usable_until: null,
    purposes: null,
    is_private: false,
    ...change,
  });
  const need = (change: Partial<ReuseNeed> = {}): ReuseNeed => ({
    project: 'default',
    now: '2026-11-02T08:00:00.000Z',
    not_before: '2026-10-26T08:00:00.000Z',
    parser_version: 'reader/3',
    purpose: 'answer',
    ...change,
  });

  it('[SE-10] what may be reused keeps the time it was really read', () => {
    expect(judgeReuse(held(), need())).toEqual({ revision: revision() });
    expect(judgeReuse(held(), need({ purpose: 'history', not_before: null }))).toMatchObject({
      revision: { retrieved_time: '2026-11-01T08:00:00Z' },
    });
  });

  it.each([
    ['rights', held({ usable_until: '2026-11-02T08:00:00Z' }), need({ now: '2026-11-02T08:00:00Z' })],
    ['visibility', held({ project: 'other' }), need()],
    [
      'visibility',
      held({ project: 'other', is_private: true, revision: revision({ rights: { visibility: 'public', note: '' } }) }),
      need(),
    ],
    ['freshness', held(), need({ not_before: '2026-11-01T08:00:00.001Z' })],
    ['freshness', held({ revision: revision({ retrieved_time: '2026-12-24T00:00:00Z' }) }), need()],
    ['version', held(), need({ parser_version: 'reader/4' })],
    ['purpose', held({ purposes: ['training'] }), need()],
  ] as const)('[SE-10] %s stands against it', (obstacle, source, wanted) => {
    expect(judgeReuse(source, wanted)).toEqual({ obstacles: [obstacle] });
  });

  it('[SE-10] everything that stands against it is told at once', () => {
    const bad = held({ project: 'other', usable_until: '2020-01-01T00:00:00Z', purposes: [] });
    expect(judgeReuse(bad, need({ parser_version: 'x', not_before: '2026-11-02T00:00:00Z' }))).toEqual({
      obstacles: ['rights', 'visibility', 'freshness', 'version', 'purpose'],
    });
  });

  it('[SE-10] a public page of another project may be used', () => {
    const shared = held({ project: 'other', revision: revision({ rights: { visibility: 'public', note: '' } }) });
    expect(judgeReuse(shared, need())).toHaveProperty('revision');
  });
});
