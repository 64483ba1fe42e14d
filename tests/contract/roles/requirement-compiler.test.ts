import { describe, expect, it } from 'vitest';
import { findFields, keyOf } from '#actors/roles/requirement-compiler/fields.ts';
import { findItems } from '#actors/roles/requirement-compiler/items.ts';
import { findLimits } from '#actors/roles/requirement-compiler/limits.ts';
import { chooseMode } from '#actors/roles/requirement-compiler/mode.ts';
import { splitQuestions } from '#actors/roles/requirement-compiler/questions.ts';
import { findAsOf, findDomains, findExclusions, findRegion } from '#actors/roles/requirement-compiler/scope-words.ts';
import { proposeExtractively } from '#actors/roles/role-catalogue.ts';
import { originAt, statesEveryOrigin } from '#contracts/research/spec-origins.ts';
import type { SpecSettings } from '#contracts/research/spec-settings.ts';
import { TaskSpec } from '#contracts/research/task-spec.ts';
import { detectLanguage } from '#contracts/text/language.ts';

function compile(text: string, mode: 'smart' | 'dataset' | 'research' = 'smart', settings?: SpecSettings) {
  const language = detectLanguage(text) === 'zh-CN' ? 'zh-CN' : 'en';
  const ask = { role: 'requirement_compiler', text, mode, asked_time: '2026-12-01T00:00:00.000Z' } as const;
  const output = proposeExtractively(
    settings === undefined ? ask : { ...ask, settings },
    { sources: [], evidence: [], assertions: [] },
    language,
  );
  if (output.role !== 'requirement_compiler') throw new TypeError('another role answered');
  expect(TaskSpec.parse(output.task_spec)).toEqual(output.task_spec);
  expect(statesEveryOrigin(output.task_spec, output.origins)).toBe(true);
  return output;
}

describe('questions of a request', () => {
  it.each<[string, string[]]>([
    [
      'How do birds navigate? What cues influence this process?',
      ['How do birds navigate?', 'How do birds navigate? What cues influence this process?'],
    ],
    ['Compare A and B on: 1) price; 2) range; 3) weight', ['Compare A and B on: price;', 'range;', 'weight']],
    [
      '本调研分析以下方面：一是历史；二是现状；三是未来。',
      ['本调研分析以下方面： 一是历史；', '二是现状；', '三是未来。'],
    ],
    ['How tall is the Alder? At most 10 pages, within 5 minutes.', ['How tall is the Alder?']],
    ['云杉塔有多高？用英文回答。', ['云杉塔有多高？']],
    ['npm 9.1 and 9.2. What changed?', ['npm 9.1 and 9.2. What changed?']],
  ])('[TS-03] %j asks %j', (text, questions) => {
    expect(splitQuestions(text)).toEqual(questions);
  });

  it('[TS-03] a long order in one Chinese sentence becomes what it wants to know, each with its topic', () => {
    const text =
      '收集整理目前国际综合实力前十的保险公司的相关资料，横向比较各公司的融资情况、信誉度、实际分红等维度，并为我评估出最有可能在未来资产排名靠前的2-3家公司';
    expect(splitQuestions(text)).toEqual([
      '收集整理目前国际综合实力前十的保险公司的相关资料',
      '国际综合实力前十的保险公司：横向比较各公司的融资情况、信誉度、实际分红等维度',
      '国际综合实力前十的保险公司：为我评估出最有可能在未来资产排名靠前的2-3家公司',
    ]);
  });

  it('[TS-03] more than eight are put together, not cut off and not cut in two', () => {
    const asked = Array.from({ length: 14 }, (_, index) => `What is thing number ${index + 1}?`);
    const questions = splitQuestions(asked.join(' '));
    expect(questions).toHaveLength(8);
    expect(questions.join(' ')).toBe(asked.join(' '));
  });

  it('[TS-03] every question is made of whole sentences, however long the background is', () => {
    const background = 'The market features diverse strategies and each of them has its own measures. ';
    const [question = ''] = splitQuestions(`${background.repeat(30)}Which of them are comparable?`);
    expect(question.length).toBeLessThan(500);
    expect(question.startsWith('The market')).toBe(true);
    expect(question.endsWith('Which of them are comparable?')).toBe(true);
  });
});

describe('mode of a request', () => {
  it.each([
    ['怎么停止一个任务？', 'quick_search'],
    ['npm ci 和 npm install 有什么区别', 'quick_search'],
    ['Briefly: what is the impact of tariffs on trade in the long run?', 'quick_search'],
    ['为我调研固态电池的商业化进展', 'research'],
    ['Which factors influence where travellers go, and what strategies follow from them?', 'research'],
    ['Which data sets are used to train speech models?', 'quick_search'],
    ['Collect all museums of Oslo as a CSV with columns name, address, price', 'dataset'],
    ['采集上海的博物馆，整理成表格', 'dataset'],
    ['采集上海的博物馆，生成表格和报告', 'hybrid'],
    ['A table of all plants with a report on the trends', 'hybrid'],
    ['Explain the table of contents of this report', 'research'],
  ])('[CH-02] %j becomes %s', (text, mode) => {
    expect(chooseMode(text, 'smart')).toBe(mode);
  });
});

describe('limits said in words', () => {
  const usd = (cap_minor: string) => ({ currency: 'USD', cap_minor });
  it.each([
    ['How tall is it? Use at most 10 pages.', { max_pages: 10 }],
    ['最多读8个网页，10分钟内完成', { max_pages: 8, max_duration_ms: 600_000 }],
    ['Compare both, within 5 minutes, no more than $20', { max_duration_ms: 300_000, budget: usd('2000') }],
    ['调研云杉塔，不超过20美元', { budget: usd('2000') }],
    ['预算0.5元，半小时内', { max_duration_ms: 1_800_000, budget: { currency: 'CNY', cap_minor: '50' } }],
    ['Answer in two rounds', { max_waves: 2 }],
    ['Spend at most 12.34 euros on this', { budget: { currency: 'EUR', cap_minor: '1234' } }],
    ['What is the best laptop on a budget of $500?', {}],
    ['价格不超过3000元的手机有哪些', {}],
    ['Which meals can I cook in 20 minutes?', {}],
    ['What happens within 5 years of planting?', {}],
    ['Why does a book of 10 pages cost more?', {}],
  ])('[TS-04] %j limits %j', (text, limits) => {
    expect(findLimits(text)).toEqual(limits);
  });
});

describe('scope in words', () => {
  it.each([
    [
      'What are the philosophies of Duan Yongping, Warren Buffett, and Charlie Munger?',
      ['Duan Yongping', 'Warren Buffett', 'Charlie Munger'],
    ],
    ['Compare PostgreSQL and MariaDB for small teams', ['PostgreSQL', 'MariaDB']],
    ['vite vs webpack', ['vite', 'webpack']],
    ['比较甲馆和乙馆的开放时间', ['甲馆', '乙馆']],
    ['比亚迪、特斯拉和蔚来的区别', ['比亚迪', '特斯拉', '蔚来']],
    ['Large firms (e.g., Accenture, IBM, and Capgemini) invest', []],
    ['我比较想了解教学竞赛', []],
    ['How do cats and dogs sleep?', []],
  ])('[TS-03] %j names the items %j', (text, items) => {
    expect(findItems(text)).toEqual(items);
  });

  it.each([
    ['As of June 2024, how many members?', '2024-06-30T23:59:59.999Z'],
    ['截至2023年底，人口是多少', '2023-12-31T23:59:59.999Z'],
    ['up to 15 March 2024', '2024-03-15T23:59:59.999Z'],
    ['From 2020 to 2050, how many elderly people?', null],
    ['at most up to 2000 euros', null],
  ])('[TS-03] %j looks back from %s', (text, time) => {
    expect(findAsOf(text)).toBe(time);
  });

  it('[TS-03] region, exclusions and allowed sites are only what bounds the request', () => {
    expect(findRegion('国内城市轨道交通')).toBe('中国');
    expect(findRegion('How many people live in the United Kingdom?')).toBe('United Kingdom');
    expect(findRegion('中国和日本的养老金')).toBeNull();
    expect(findRegion('全球市场，包括中国')).toBeNull();
    expect(findExclusions('Museums of Oslo, excluding private ones')).toEqual(['private ones']);
    expect(findExclusions('除了上海之外的城市；不要估算')).toEqual(['上海']);
    expect(findExclusions('除了门票之外，还要开放时间')).toEqual([]);
    expect(findDomains('only use sources from www.example.org and docs.test.com')).toEqual([
      'example.org',
      'docs.test.com',
    ]);
    expect(findDomains('What does example.org say?')).toEqual([]);
  });

  it('[DS-01] fields are named with their types and units, and one of them tells rows apart', () => {
    const fields = findFields('Collect towers with columns height (m), name, year built, ticket price and website.');
    expect(fields.map(({ name, type, unit }) => [name, type, unit])).toEqual([
      ['height', 'number', 'm'],
      ['name', 'text', null],
      ['year built', 'date', null],
      ['ticket price', 'money', null],
      ['website', 'url', null],
    ]);
    expect(keyOf(fields)).toEqual(['name']);
    expect(
      findFields('字段包括名称、票价（元）、是否预约等').map(({ name, type, unit }) => [name, type, unit]),
    ).toEqual([
      ['名称', 'text', null],
      ['票价', 'money', '元'],
      ['是否预约', 'boolean', null],
    ]);
  });
});

describe('a compiled request', () => {
  it('[TS-02] what was said is the user’s, what was read into it awaits confirmation, the rest is a template', () => {
    const { task_spec: spec, origins } = compile('How tall are Alder, Birch, and Cedar as of 2024? At most 10 pages.');
    expect(spec.execution.max_pages).toBe(10);
    const at = (pointer: string) => originAt(origins, pointer);
    expect([at('/execution/max_pages'), at('/scope/items/2'), at('/scope/as_of')]).toEqual(['user', 'user', 'user']);
    expect([at('/mode'), at('/output/language')]).toEqual([
      'inferred_awaiting_confirmation',
      'inferred_awaiting_confirmation',
    ]);
    expect([at('/execution/max_waves'), at('/scope/region'), at('/budget/cap_minor')]).toEqual([
      'template',
      'template',
      'template',
    ]);
  });

  it('[TS-02] a question that was completed to stand alone is a reading, not a demand', () => {
    const { task_spec: spec, origins } = compile('Trace the history of tea. Explain how this shaped its trade.');
    expect(spec.scope.questions[1]).toBe('history of tea: Explain how this shaped its trade.');
    expect(originAt(origins, '/scope/questions/0')).toBe('user');
    expect(originAt(origins, '/scope/questions/1')).toBe('inferred_awaiting_confirmation');
  });

  it('[TS-02] what the project settled says so, and a budget in the request stands above it', () => {
    const settings: SpecSettings = {
      currency: 'CNY',
      cap_minor: '900',
      unknown_price_policy: 'block',
      policy_refs: ['read-only/1'],
      formats: ['markdown'],
    };
    const settled = compile('调研云杉塔', 'smart', settings);
    expect(settled.task_spec.budget).toEqual({ currency: 'CNY', cap_minor: '900', unknown_price_policy: 'block' });
    expect(originAt(settled.origins, '/budget/cap_minor')).toBe('project_setting');
    const said = compile('调研云杉塔，不超过20美元', 'smart', settings);
    expect(said.task_spec.budget).toMatchObject({ currency: 'USD', cap_minor: '2000' });
    expect(originAt(said.origins, '/budget/cap_minor')).toBe('user');
    expect(originAt(said.origins, '/budget/unknown_price_policy')).toBe('project_setting');
  });

  it('[CH-10] answers in the language of the request unless it asks for another one', () => {
    expect(compile('云杉塔有多高？').task_spec.output.language).toBe('zh-CN');
    const english = compile('云杉塔有多高？用英文回答。');
    expect(english.task_spec.output.language).toBe('en');
    expect(originAt(english.origins, '/output/language')).toBe('user');
  });

  it('[TS-03] a data set has rows, a key and fields; a hybrid has them beside its report', () => {
    const { task_spec: dataset } = compile(
      'Collect the museums of Oslo as a CSV with columns name, price (NOK), one row per museum',
    );
    expect(dataset).toMatchObject({
      mode: 'dataset',
      output: { form: 'dataset', row: 'museum', key: ['name'], formats: ['csv', 'json'] },
    });
    const { task_spec: hybrid } = compile('采集上海的博物馆，字段包括名称和票价，生成表格和报告');
    expect(hybrid).toMatchObject({ mode: 'hybrid', output: { form: 'report', key: ['名称'] } });
    expect(hybrid.output.formats).toContain('csv');
  });
});

describe('what is asked back', () => {
  const asked = (text: string, mode: 'smart' | 'dataset' = 'smart') =>
    compile(text, mode).clarifications.map(({ clarification_id, pointer }) => `${clarification_id} ${pointer}`);

  it.each([
    ['How tall is the Alder tower?', []],
    ['Compare PostgreSQL and MariaDB', []],
    ['Compare the two options', ['items /scope/items']],
    ['比较两个场馆的参观安排', ['items /scope/items']],
    ['研究一下这个', ['subject /scope/topics']],
    ['how tall is it?', ['subject /scope/topics']],
    ['采集博物馆讲解', ['bounds /scope/items', 'fields /output/fields']],
    ['采集上海的博物馆，字段包括名称和票价', []],
  ])('[TS-06] %j asks %j, all at once', (text, ids) => {
    expect(asked(text)).toEqual(ids);
  });

  it('[TS-06] each can be left to the platform, and says in words what happens then', () => {
    for (const text of ['Compare the two options', '采集博物馆讲解', '研究一下这个']) {
      for (const clarification of compile(text).clarifications) {
        expect(clarification.default_label).not.toBe('');
        expect(['template', 'inferred_awaiting_confirmation']).toContain(clarification.default_origin);
      }
    }
  });
});
