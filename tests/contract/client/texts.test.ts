import { describe, expect, it } from 'vitest';
import { FailureCode } from '#contracts/errors.ts';
import { parseRoute } from '#client/app/router.ts';
import { lastQuestionOf, threadOf } from '#client/chat/thread-model.ts';
import { readPreferences } from '#client/data/preferences.ts';
import { en } from '#client/i18n/en.ts';
import { createFormat, formatClock } from '#client/i18n/format.ts';
import { zhCN } from '#client/i18n/zh-CN.ts';
import { splitCitations, writeNumbers } from '#client/ui/citation-marks.ts';
import { explainCode } from '#client/ui/explain.ts';
import { followTop, isAtEnd } from '#client/ui/follow.ts';
import { guessLanguage } from '#client/ui/text-language.ts';
import { aMessage, memoryStorage } from './support/messages.ts';

/** The same in every language on purpose. */
const KEPT = new Set([
  'keyEnter',
  'keyShiftEnter',
  'keyModEnter',
  'keyUp',
  'keySlash',
  'keyQuestion',
  'keyEscape',
  'keyBrackets',
]);
const sample = (value: unknown): string =>
  typeof value === 'function' ? String((value as (...parameters: string[]) => string)('7', '8')) : String(value);

describe('catalogues', () => {
  it('[CH-10] every text exists in both languages, and Chinese texts are Chinese', () => {
    expect(Object.keys(zhCN)).toEqual(Object.keys(en));
    for (const [key, value] of Object.entries(zhCN)) {
      if (KEPT.has(key) || key === 'announceProgress' || key === 'sourceOf') continue;
      expect(sample(value), key).toMatch(/\p{Script=Han}/u);
      expect(sample(en[key as keyof typeof en]), key).not.toMatch(/\p{Script=Han}/u);
    }
  });

  it('[CH-10] every failure code of the platform has a meaning in both languages or is named', () => {
    for (const code of FailureCode.options) {
      expect(explainCode(code, en).length).toBeGreaterThan(10);
      expect(explainCode(code, zhCN)).toMatch(/\p{Script=Han}/u);
    }
  });

  it('[CH-10] durations, sizes and moments are written for the reader', () => {
    expect([formatClock(7_900), formatClock(750_000), formatClock(3_723_000)]).toEqual(['0:07', '12:30', '1:02:03']);
    expect(createFormat('en').bytes(1_234)).toBe('1.2 kB');
    const now = Date.parse('2026-11-30T10:00:00Z');
    expect(createFormat('en').relative('2026-11-30T09:57:00Z', now)).toBe('3 minutes ago');
    expect(createFormat('zh-CN').relative('2026-11-29T10:00:00Z', now)).toBe('昨天');
  });
});

describe('small rules', () => {
  it('[EV-01] only numbers that are in the list of the answer become citations', () => {
    expect(splitCitations('a [1][2] b [9] c [x]', new Set([1, 2]))).toEqual([
      { text: 'a ' },
      { citation: 1 },
      { citation: 2 },
      { text: ' b [9] c [x]' },
    ]);
  });

  it('[EV-01] the numbers of one page are written as runs', () => {
    expect(writeNumbers([1, 2, 3, 5, 7, 8])).toBe('1–3, 5, 7, 8');
    expect(writeNumbers([4])).toBe('4');
  });

  it('[CH-01] addresses lead to screens, unknown ones to the first screen', () => {
    expect(parseRoute('/c/cnv_abc')).toEqual({ name: 'conversation', id: 'cnv_abc' });
    expect(parseRoute('/', '?q=hello%20there')).toEqual({ name: 'home', question: 'hello there' });
    expect(parseRoute('/c/../../x').name).toBe('home');
    expect(parseRoute('/settings/').name).toBe('settings');
  });

  it('[CH-09] a message on its way is shown once, before and after it is stored', () => {
    const pending = [
      { kind: 'message', id: 'cm_00000001', conversationId: 'c', title: null, text: 'x', mode: 'smart', madeMs: 1 },
    ] as const;
    expect(threadOf('c', [], pending).map((item) => item.kind)).toEqual(['pending']);
    expect(threadOf('c', [aMessage()], pending).map((item) => item.kind)).toEqual(['stored']);
    expect(lastQuestionOf([aMessage(), aMessage({ author: 'assistant', text: '' })])).toBe('How do I stop a task?');
  });

  it('[CH-10] preferences that cannot be read are the browser language and the system theme', () => {
    const storage = memoryStorage();
    storage.setItem('yunsou.preferences', '{"language":"xx","theme":7');
    expect(readPreferences(storage, 'zh-TW')).toMatchObject({ language: 'zh-CN', theme: 'system' });
    storage.setItem('yunsou.preferences', '{"language":"en","panelWidth":99999}');
    expect(readPreferences(storage, 'zh-TW')).toMatchObject({ language: 'en', panelWidth: 900 });
  });

  it('[CH-09] the thread follows its end but keeps the start of the newest turn in sight', () => {
    expect(isAtEnd({ top: 975.4, height: 600, contentHeight: 1576 })).toBe(true);
    expect(isAtEnd({ top: 900, height: 600, contentHeight: 1576 })).toBe(false);
    expect(followTop({ top: 0, height: 600, contentHeight: 900 }, 400)).toBe(300);
    expect(followTop({ top: 0, height: 600, contentHeight: 4000 }, 400)).toBe(380);
  });

  it('[CH-10] text is marked with the language it is in', () => {
    expect(guessLanguage('npm ci installs a project with a clean slate.')).toBe('en');
    expect(guessLanguage('按下进度卡片下方的停止按钮即可，npm 不受影响。')).toBe('zh-CN');
    expect(guessLanguage('12 345')).toBeNull();
  });
});
