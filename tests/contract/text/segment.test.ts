import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryTerms, terms } from '#contracts/text/segment.ts';

const HAN = fc.integer({ min: 0x4e00, max: 0x9fa5 }).map((code) => String.fromCodePoint(code));

describe('terms', () => {
  it('[SE-09] any two-character Chinese word inside a text is a term of it', () => {
    fc.assert(
      fc.property(fc.array(HAN, { minLength: 2, maxLength: 40 }), fc.nat(), (chars, n) => {
        const at = n % (chars.length - 1);
        return terms(chars.join('')).includes(chars.slice(at, at + 2).join(''));
      }),
    );
  });

  it('[SE-09] words of two, three and four characters are found by their query', () => {
    const page = new Set(terms('研究平台云搜会把每一条证据链接到原文的人工智能浏览器里。'));
    for (const word of ['云搜', '证据', '浏览器', '人工智能', '原文']) {
      expect(queryTerms(word).every((term) => page.has(term))).toBe(true);
    }
  });

  it('[SE-09] forms of an English word are one term', () => {
    for (const [a, b] of [
      ['stopping', 'stops'],
      ['stopped', 'stop'],
      ['countries', 'country'],
      ['nominated', 'nomination'],
      ['won', 'win'],
      ['releases', 'released'],
      ['Ships', 'ship'],
      ['boxes', 'box'],
      ['café', 'cafe'],
      ["O'Neal's", 'ONeal'],
    ] as const) {
      expect(terms(a), `${a} and ${b}`).toEqual(terms(b));
    }
  });

  it('[SE-09] unlike words stay unlike', () => {
    for (const [a, b] of [
      ['state', 'station'],
      ['king', 'ked'],
      ['string', 'str'],
      ['1.5', '15'],
      ['19', '190'],
    ] as const) {
      expect(terms(a), `${a} and ${b}`).not.toEqual(terms(b));
    }
  });

  it('[SE-09] numbers keep their value: digit groups are joined, decimals kept, ordinals are numbers', () => {
    expect(terms('3,783,069 passengers, 4.0 litres, 15th')).toEqual(['3783069', 'passenger', '4.0', 'litr', '15']);
    expect(terms('１９８４年')).toContain('1984');
  });

  it('[SE-09] parts of a camelCase name are found too', () => {
    expect(terms('fs.readFile')).toEqual(['fs', 'readfil', 'read', 'fil']);
  });

  it('[SE-09] any text has terms without throwing, and its query terms stand among them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const all = new Set(terms(text));
        return queryTerms(text).every((term) => all.has(term) || term.length <= 2);
      }),
    );
  });
});

describe('queryTerms', () => {
  it('[SE-09] question words and particles of both languages are left out', () => {
    expect(queryTerms('How does npm audit work?')).toEqual(queryTerms('npm audit'));
    expect(queryTerms('Where does she work?')).toContain('work');
    expect(queryTerms('怎么停止一个正在运行的任务?')).toEqual(['停止', '运行', '任务']);
    expect(queryTerms('Please tell me what the difference between npm ci and npm install is')).toEqual([
      'differenc',
      'npm',
      'ci',
      'install',
    ]);
  });

  it('[SE-09] an unknown name that is segmented into characters is still one word', () => {
    expect(queryTerms('云搜的数据')).toEqual(['云搜', '数据']);
  });

  it('[SE-09] a question of stop words only is searched by all of them', () => {
    expect(queryTerms('who is who')).toEqual(['who', 'is']);
  });
});
