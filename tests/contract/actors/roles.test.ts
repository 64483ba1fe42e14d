import { describe, expect, it } from 'vitest';
import { groupConflicts } from '#actors/roles/verifier/conflicts.ts';
import { proposeExtractively } from '#actors/roles/role-catalogue.ts';
import type { Materials } from '#actors/roles/role-definition.ts';
import { chooseMode } from '#actors/roles/requirement-compiler/mode.ts';
import { splitQuestions } from '#actors/roles/requirement-compiler/questions.ts';
import { findUrls, titleOf } from '#actors/roles/requirement-compiler/scope-words.ts';
import { escapeMarkdown } from '#actors/roles/report-writer/markdown.ts';
import type { Proposal } from '#contracts/actors/role.ts';
import type { SourceRevision } from '#contracts/research/source.ts';

const TEXT = 'The Alder tower is 321 metres tall. It was finished in 1961 after four years.';

const source = (id: string, text: string): SourceRevision => ({
  source_revision_id: id,
  task_id: 'tsk_one-00001',
  requested_url: `http://a.test/${id}`,
  final_url: `http://a.test/${id}`,
  method: 'browser',
  retrieved_time: '2026-11-30T00:00:00.000Z',
  parser_version: 'x',
  content_hash: 'a'.repeat(64),
  title: id,
  language: 'en',
  page_kind: 'article',
  text,
  blocks: [],
  tables: [],
  fields: {},
  unread: [],
  rights: { visibility: 'project', note: '' },
});

const proposal = (quote: string, change: Partial<Proposal> = {}): Proposal => ({
  source_revision_id: 'srv_one-00001',
  start: TEXT.indexOf(quote),
  end: TEXT.indexOf(quote) + quote.length,
  quote,
  anchor: { before: '', after: '', heading_path: [] },
  claim: quote,
  score: 1,
  why: '',
  ...change,
});

const materials: Materials = { sources: [source('srv_one-00001', TEXT)], evidence: [], assertions: [] };

function verify(proposals: readonly Proposal[], at: Materials = materials) {
  const output = proposeExtractively({ role: 'verifier', question: 'q', proposals: [...proposals] }, at, 'en');
  if (output.role !== 'verifier') throw new TypeError('another role answered');
  return output;
}

describe('verifier', () => {
  it('[EV-03] accepts a verbatim quote at its offsets', () => {
    expect(verify([proposal('The Alder tower is 321 metres tall.')]).accepted).toHaveLength(1);
  });

  it.each([
    [
      'an invented tail',
      proposal('The Alder tower is 321 metres tall.', { quote: 'The Alder tower is 321 metres high.' }),
    ],
    ['shifted offsets', proposal('The Alder tower is 321 metres tall.', { start: 1, end: 36 })],
    ['another digit', proposal('It was finished in 1961', { quote: 'It was finished in 1967' })],
    [
      'a page that does not exist',
      proposal('The Alder tower is 321 metres tall.', { source_revision_id: 'srv_two-00001' }),
    ],
    ['a span of one word', proposal('tower')],
    [
      'a number the quote does not hold',
      proposal('The Alder tower is 321 metres tall.', { claim: 'The tower has 44 lifts.' }),
    ],
  ])('[EV-03] refuses %s, with a reason', (_what, wrong) => {
    const { accepted, rejected } = verify([wrong]);
    expect(accepted).toEqual([]);
    expect(rejected[0]?.reason).not.toBe('');
  });

  it('[EV-03] refuses a span that was used already', () => {
    const first = proposal('The Alder tower is 321 metres tall.');
    expect(verify([first, proposal('tower is 321 metres')]).accepted).toHaveLength(1);
  });

  it('[EV-02] pages that give other figures in the same words become a conflict and no fact', () => {
    const other = 'The Alder tower is 299 metres tall. It was finished in 1961 after four years.';
    const sources = [source('srv_one-00001', TEXT), source('srv_two-00001', other)];
    const quote = 'The Alder tower is 299 metres tall.';
    const second = { ...proposal(quote), source_revision_id: 'srv_two-00001', start: 0, end: quote.length };
    const { accepted, conflicts } = verify([proposal('The Alder tower is 321 metres tall.'), second], {
      ...materials,
      sources,
    });
    expect(conflicts).toBe(1);
    expect(accepted.map(({ status }) => status)).toEqual(['conflicting', 'conflicting']);
  });

  it('[EV-02] the same figure twice, or other words, is no conflict', () => {
    const same = proposal('The Alder tower is 321 metres tall.');
    expect(groupConflicts([same, { ...same, source_revision_id: 'srv_two-00001' }])).toEqual([null, null]);
    expect(groupConflicts([same, proposal('It was finished in 1961 after four years.')])).toEqual([null, null]);
  });
});

describe('requirement compiler', () => {
  it.each([
    ['What is npm ci?', ['What is npm ci?']],
    ['什么是云搜？怎么停止任务？', ['什么是云搜？', '怎么停止任务？']],
    ['We use npm. What is ci? And install?', ['We use npm. What is ci?', 'And install?']],
    ['1. How tall?\n2. How old?', ['How tall?', 'How old?']],
    ['npm ci versus npm install', ['npm ci versus npm install']],
    ['Write a report: How tall? How old?', ['How tall?', 'How old?']],
    ['请写一份报告：什么是云搜？', ['什么是云搜？']],
    ['???', ['???']],
  ])('[TS-03] %j asks %j', (text, questions) => {
    expect(splitQuestions(text)).toEqual(questions);
  });

  it.each([
    ['What is npm ci?', 'smart', 'quick_search'],
    ['写一份关于 npm 的调研报告', 'smart', 'research'],
    ['Write an in-depth report on npm', 'smart', 'research'],
    ['把所有命令整理成表', 'smart', 'dataset'],
    ['调研报告', 'quick_search', 'quick_search'],
  ] as const)('[CH-02] %j in mode %s becomes %s', (text, asked, mode) => {
    expect(chooseMode(text, asked)).toBe(mode);
  });

  it('[PL-01] finds the addresses the user named, without the punctuation around them', () => {
    expect(findUrls('见 https://example.com/a，然后 (http://b.test/c).')).toEqual([
      'https://example.com/a',
      'http://b.test/c',
    ]);
  });

  it('[CH-10] cuts a title between characters, not inside one', () => {
    expect([...titleOf('😀'.repeat(200))]).toHaveLength(80);
  });
});

describe('report writer', () => {
  it('[BR-08] page text cannot become a link, an image, a heading or markup', () => {
    const hostile = '![x](http://evil.test/a.png) [y](javascript:1) # <script>alert(1)</script> | `code`';
    const escaped = escapeMarkdown(hostile);
    expect(escaped).not.toMatch(/(?<!\\)[[\]<>`#|]/);
  });

  it('[RP-01] an assertion without its evidence at hand is not said', () => {
    const assertion = {
      assertion_id: 'asr_one-00001',
      task_id: 'tsk_one-00001',
      revision: 1,
      text: 'The tower is tall.',
      kind: 'factual' as const,
      evidence_ids: ['evd_gone-0001'],
      status: 'verified' as const,
      answers: 'q',
      position: 0,
      conflict_group: null,
    };
    const ask = { role: 'report_writer' as const, title: 't', questions: ['q'], form: 'report' as const, gaps: [] };
    const output = proposeExtractively(ask, { ...materials, assertions: [assertion] }, 'en');
    if (output.role !== 'report_writer') throw new TypeError('another role answered');
    expect(output.answer.sections).toEqual([]);
    expect(output.answer.markdown).toContain('Insufficient evidence');
  });

  it('[CH-10] a quote in another language is introduced in the language of the answer', () => {
    const evidence = {
      evidence_id: 'evd_one-00001',
      task_id: 'tsk_one-00001',
      source_revision_id: 'srv_one-00001',
      start: 0,
      end: 35,
      quote: TEXT.slice(0, 35),
      anchor: { before: '', after: '', heading_path: [] },
      stance: 'supports' as const,
    };
    const assertion = {
      assertion_id: 'asr_one-00001',
      task_id: 'tsk_one-00001',
      revision: 1,
      text: evidence.quote,
      kind: 'factual' as const,
      evidence_ids: ['evd_one-00001'],
      status: 'verified' as const,
      answers: '塔有多高？',
      position: 0,
      conflict_group: null,
    };
    const ask = {
      role: 'report_writer' as const,
      title: 't',
      questions: ['塔有多高？'],
      form: 'short_answer' as const,
      gaps: [],
    };
    const output = proposeExtractively(ask, { ...materials, evidence: [evidence], assertions: [assertion] }, 'zh-CN');
    if (output.role !== 'report_writer') throw new TypeError('another role answered');
    expect(output.answer.markdown).toContain('写道');
    expect(output.answer.citations[0]?.quote).toBe(evidence.quote);
  });
});
