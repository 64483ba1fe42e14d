import { describe, expect, it } from 'vitest';
import { detectLanguage } from '#contracts/text/language.ts';

describe('detectLanguage', () => {
  it('[TS-03] Chinese, English and others are told apart', () => {
    const cases: readonly [string, string][] = [
      ['怎么停止一个正在运行的任务?', 'zh-CN'],
      ['npm ci 和 npm install 有什么区别?', 'zh-CN'],
      ['npm audit fix --force 会做什么？', 'zh-CN'],
      ['What is the difference between npm ci and npm install?', 'en'],
      ['What does 停止 mean on the task card?', 'en'],
      ['npm ci', 'en'],
      ['このページは日本語で書かれています。', 'und'],
      ['Это русский текст о погоде.', 'und'],
      ['', 'und'],
      ['12345 !!!', 'und'],
      [
        'La ville est située dans le nord du pays et compte plus de deux millions de personnes qui parlent une langue propre.',
        'und',
      ],
    ];
    for (const [text, language] of cases) expect(detectLanguage(text), text).toBe(language);
  });
});
