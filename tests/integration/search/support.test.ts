import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { rankUnits } from '#actors/roles/extractor/ranking.ts';
import { selectAnswerUnits } from '#actors/roles/extractor/selection.ts';
import { unitsOf, type Unit } from '#actors/roles/extractor/units.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';
import { findBuiltinRoots } from '#runtime/providers/search/library/builtin-roots.ts';

const RELATED = [
  'What is the difference between npm ci and npm install?',
  'How do I publish a package?',
  'how to remove a package',
  'What does npm audit fix do?',
  'how do I stop a running task?',
  'what is a sealed package',
  'where is the npm config file',
  'how to list outdated packages',
  'What is a workspace',
  'how to deprecate a version',
  'which port is used by default?',
  'how to verify a package offline',
  'how can I log in to the registry',
  '怎么停止一个正在运行的任务?',
  '引用编号是什么意思',
  '没有配置模型时会怎么样',
  '数据保存在哪里',
  '怎么添加一个文件夹到资料库',
  '支持哪些文件格式',
  '默认端口是多少',
  '什么是证据',
];
const UNRELATED = [
  'What is the capital of France?',
  'Who won the 2018 football world cup?',
  'How tall is Mount Everest?',
  'What is the boiling point of mercury?',
  'Who wrote Pride and Prejudice?',
  'How do I bake sourdough bread?',
  'When did the Roman Empire fall?',
  'What is the population of Canada?',
  'Which planet has the most moons?',
  'How many bones are in the human body?',
  'what is the best treatment for malaria',
  'who painted the Mona Lisa',
  'how long do elephants live',
  'what language is spoken in Brazil',
  '法国的首都是哪里?',
  '珠穆朗玛峰有多高?',
  '谁写了红楼梦?',
  '怎么做红烧肉?',
  '2018年世界杯谁赢了?',
  '水的沸点是多少?',
  '中国有多少个民族?',
  '北京今天天气怎么样?',
  '高血压应该吃什么药?',
  '秦始皇是哪一年统一六国的?',
  '钢琴有多少个键?',
  '如何学习游泳?',
];

const units: Unit[] = [];

beforeAll(async () => {
  const places = {
    helpFolder: join(import.meta.dirname, '../../../runtime/main/help/pages'),
    execPath: process.execPath,
    npmExecPath: process.env['npm_execpath'],
  };
  const roots = (await findBuiltinRoots(places)).filter(({ kind }) => kind !== 'node_docs');
  expect(roots.map(({ kind }) => kind)).toContain('help');
  const reader = createReader();
  for (const root of roots) {
    for (const name of await readdir(root.path, { recursive: true })) {
      if (!name.endsWith('.html')) continue;
      const url = `${root.rootId}/${name}`;
      const page = await reader.read({ bytes: await readFile(join(root.path, name)), contentType: 'text/html', url });
      units.push(...unitsOf(page, url));
    }
  }
}, 60_000);

function answer(question: string): string[] {
  const ranked = rankUnits(question, units);
  return selectAnswerUnits(ranked, { form: 'short_answer', maxUnits: 6, question, units }).map(({ unit }) => unit.text);
}

describe('support over the help and npm pages', () => {
  it('[EV-03] questions the pages do not speak of get nothing', () => {
    expect(UNRELATED.filter((question) => answer(question).length > 0)).toEqual([]);
  });

  it('[EV-03] questions the pages answer get units', () => {
    expect(units.some(({ source }) => source.startsWith('npm-docs'))).toBe(true);
    expect(RELATED.filter((question) => answer(question).length === 0)).toEqual([]);
  });

  it('[EV-03] the first questions of the read-me get the sentence that answers them', () => {
    expect(answer('怎么停止一个正在运行的任务?').join('\n')).toContain('停止');
    expect(answer('What is the difference between npm ci and npm install?').join('\n')).toMatch(
      /package-lock|node_modules/,
    );
  });
});
