import { describe, expect, it } from 'vitest';
import { judgeAnswer } from '#actors/roles/role-judging.ts';
import { proposeExtractively } from '#actors/roles/role-catalogue.ts';
import type { Materials } from '#actors/roles/role-definition.ts';
import type { Language } from '#contracts/ids.ts';
import type { Answer } from '#contracts/research/answer.ts';
import type { Assertion, Evidence } from '#contracts/research/evidence.ts';
import { sourceOf } from '#tests/support/harness/role-bench.ts';

const QUESTIONS = ['How tall is the Alder tower?', 'When was it finished?'];
const QUOTES = [
  ['The Alder tower is 321 metres tall.', 0],
  ['It has 44 lifts for visitors.', 0],
  ['The Alder tower was finished in 1961.', 1],
] as const;
const PAGE = sourceOf('srv_alder-00001', QUOTES.map(([quote]) => quote).join(' '), { title: 'The Alder tower' });

const evidence: Evidence[] = QUOTES.map(([quote], index) => ({
  evidence_id: `evd_alder-0000${index + 1}`,
  task_id: 'tsk_rolebench',
  source_revision_id: PAGE.source_revision_id,
  start: PAGE.text.indexOf(quote),
  end: PAGE.text.indexOf(quote) + quote.length,
  quote,
  anchor: { before: '', after: '', heading_path: [] },
  stance: 'supports',
}));
const assertions: Assertion[] = QUOTES.map(([text, question], index) => ({
  assertion_id: `asr_alder-0000${index + 1}`,
  task_id: 'tsk_rolebench',
  revision: 1,
  text,
  kind: 'factual',
  evidence_ids: [`evd_alder-0000${index + 1}`],
  status: 'verified',
  answers: QUESTIONS[question] ?? '',
  position: index,
  conflict_group: null,
}));
const MATERIALS: Materials = {
  sources: [PAGE],
  evidence,
  assertions,
  notes: [{ what: 'x', reason: 'the quote does not stand in the source' }],
};

type Sentence = { text: string; assertions: string[] };
type Written = {
  sections: { question: string; sentences: Sentence[] }[];
  gaps: { question: string; what: string; reason: string }[];
};

const ask = {
  role: 'report_writer' as const,
  title: 'The tower',
  questions: QUESTIONS,
  form: 'report' as const,
  gaps: [],
};

function judge(written: Written, change: { language?: Language; isLast?: boolean; materials?: Materials } = {}) {
  const { language = 'en', isLast = false, materials = MATERIALS } = change;
  const shown = new Map(assertions.map(({ assertion_id }, index) => [`A${index + 1}`, assertion_id]));
  const extractive = () => proposeExtractively(ask, materials, language);
  return judgeAnswer(written, { task: ask, materials, language, shown, isLast, extractive });
}

function write(written: Written, change: Parameters<typeof judge>[1] = {}): { answer: Answer; reasons: string[] } {
  const judged = judge(written, change);
  if (judged.kind !== 'accepted' || judged.output.role !== 'report_writer') throw new TypeError(JSON.stringify(judged));
  return { answer: judged.output.answer, reasons: judged.notes.map(({ reason }) => reason) };
}

const one = (text: string, ...keys: string[]): Written => ({
  sections: [{ question: 'Q1', sentences: [{ text, assertions: keys }] }],
  gaps: [],
});
const said = ({ sections }: Answer): string[] => sections.flatMap(({ sentences }) => sentences.map(({ text }) => text));

describe('report writer with a model', () => {
  it('[RP-01] [RO-03] words its sentences over assertions; marks and numbers are given by rule', () => {
    const { answer, reasons } = write({
      sections: [
        {
          question: 'Q1',
          sentences: [
            { text: 'The Alder tower is 321 metres tall and has 44 lifts [1] [A2].', assertions: ['A1', 'A2'] },
          ],
        },
        { question: 'Q2', sentences: [{ text: 'The Alder tower was finished in 1961.', assertions: ['A3'] }] },
      ],
      gaps: [],
    });
    expect(reasons).toEqual([]);
    expect(answer.engine).toBe('model');
    expect(answer.sections[0]?.sentences[0]).toEqual({
      role: 'asserts',
      text: 'The Alder tower is 321 metres tall and has 44 lifts.',
      assertion_id: 'asr_alder-00001',
      also: ['asr_alder-00002'],
      citations: [1, 2],
    });
    expect(answer.citations.map(({ n, quote }) => [n, quote])).toEqual(
      QUOTES.map(([quote], index) => [index + 1, quote]),
    );
    expect(answer.markdown).toContain('finished in 1961. [3]');
  });

  it.each([
    [
      'a fabricated address',
      'The Alder tower is 321 metres tall, see https://evil.test/tower.',
      ['A1'],
      'https://evil.test/tower',
    ],
    [
      'a fabricated site',
      'The Alder tower is 321 metres tall according to alder-facts.com.',
      ['A1'],
      'alder-facts.com',
    ],
    ['an unknown assertion', 'The tower of Alder is 321 metres tall.', ['A1', 'A9'], 'A9, which is no assertion'],
    [
      'an assertion by its stored id',
      'The tower of Alder is 321 metres tall.',
      ['asr_alder-00001'],
      'no assertion that was given',
    ],
    ['no assertion', 'The tower of Alder is 321 metres tall.', [], 'names no assertion'],
    ['a figure of another span', 'The Alder tower has 44 lifts.', ['A1'], 'contains 44'],
    ['a figure of no span', 'The Alder tower is 999 metres tall.', ['A1'], 'contains 999'],
    ['a name of no span', 'Designed by Maria Birch, the tower is 321 metres tall.', ['A1'], 'names Maria'],
    ['a turned meaning', 'The Alder tower was never 321 metres tall.', ['A1'], 'denies'],
    ['another language', '阿尔德塔高321米。', ['A1'], 'not in the language'],
  ])('[EV-03] [RO-03] %s is cut, and the reason is kept with the answer', (_what, text, keys, reason) => {
    const { answer, reasons } = write(one(text, ...keys), { isLast: true });
    expect(said(answer)).not.toContain(text);
    expect(answer.markdown).not.toMatch(/evil|alder-facts|999|Maria|never|阿/);
    expect(reasons[0]).toContain(reason);
    expect(answer.rejected).toContainEqual({ what: text, reason: reasons[0] });
  });

  it('[RP-01] where nothing of its wording is left the assertions speak for themselves', () => {
    const { answer } = write(one('The Alder tower is 999 metres tall.', 'A1'));
    expect(said(answer)).toEqual(QUOTES.map(([quote]) => quote));
  });

  it('[RO-03] headings and lead-ins are not its own: the form has no place for them', () => {
    expect(
      judge({ sections: [{ question: 'Q1', heading: 'It is 999 m', sentences: [] }], gaps: [] } as never).kind,
    ).toBe('unusable');
    const { answer, reasons } = write({
      ...one('The Alder tower is 321 metres tall.', 'A1'),
      sections: [
        {
          question: 'The tower is 999 m',
          sentences: [{ text: 'The Alder tower is 321 metres tall.', assertions: ['A1'] }],
        },
      ],
    });
    expect(answer.sections.map(({ heading }) => heading)).toEqual(QUESTIONS);
    expect(reasons).toContain('names no question of the task');
  });

  it('[EV-04] a gap is stated without figures and addresses', () => {
    const sections = one('The Alder tower is 321 metres tall.', 'A1').sections;
    const gap = (question: string, what: string) => ({ question, what, reason: 'not_disclosed' });
    const { answer, reasons } = write({
      sections,
      gaps: [
        gap('Q2', 'the month of completion'),
        gap('Q2', 'it was 1931'),
        gap('Q2', 'see http://evil.test'),
        gap('Q9', 'the rest'),
      ],
    });
    expect(answer.gaps).toEqual([{ what: 'the month of completion', reason: 'not_disclosed' }]);
    expect(reasons).toHaveLength(3);
  });

  it('[EV-02] conflicts are shown side by side by rule, whatever the model makes of them', () => {
    const [first, second, third] = assertions as [Assertion, Assertion, Assertion];
    const torn = [first, second].map((each): Assertion => ({ ...each, status: 'conflicting', conflict_group: 0 }));
    const materials = { ...MATERIALS, assertions: [...torn, third] };
    const { answer, reasons } = write(one('The Alder tower is 321 metres tall.', 'A1'), { materials });
    expect(reasons[0]).toContain('no assertion that was given');
    expect(answer.sections[0]?.sentences.map(({ role }) => role)).toEqual(['frames', 'asserts', 'asserts']);
  });

  it('[CH-10] [RR4] an answer in another language is asked for again; what is left of it at last is worded by rule', () => {
    const english = one('The Alder tower is 321 metres tall.', 'A1');
    expect(judge(english, { language: 'zh-CN' })).toMatchObject({
      kind: 'unusable',
      problems: ['sentences: they are to be written in zh-CN'],
    });
    const { answer } = write(english, { language: 'zh-CN', isLast: true });
    expect(answer.markdown).toContain('写道');
    const chinese = write(one('Alder 塔的高度为 321 米。', 'A1'), { language: 'zh-CN' });
    expect(chinese.reasons).toEqual([]);
    expect(said(chinese.answer)[0]).toBe('Alder 塔的高度为 321 米。');
    expect(chinese.answer.citations[0]?.quote).toBe(QUOTES[0][0]);
  });

  it('[RR5] what checks refused in earlier runs of the task is kept with the answer', () => {
    const { answer } = write(one('The Alder tower is 321 metres tall.', 'A1'));
    expect(answer.rejected).toContainEqual({ what: 'x', reason: 'the quote does not stand in the source' });
  });
});
