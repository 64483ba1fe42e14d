import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { LANGUAGES, listPages, readPage, visibleText } from './help-page.ts';

const HelpQuestion = z.strictObject({
  language: z.enum(LANGUAGES),
  question: z.string().min(1),
  page: z.string().regex(/^[a-z-]+\.html$/),
  answer: z.string().min(1),
});

const fixture = new URL('../../fixtures/help-questions.json', import.meta.url);
const questions = z.array(HelpQuestion).parse(JSON.parse(readFileSync(fixture, 'utf8')));

/** What the reader can quote as one unit, as far as the page's own structure tells. */
const UNITS = 'article p, article li, article dd, article td';

describe('questions about the help pages', () => {
  it('[CH-10] are twenty in each language, none asked twice', () => {
    for (const language of LANGUAGES) {
      expect(questions.filter((question) => question.language === language)).toHaveLength(20);
    }
    expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length);
  });

  it.each(questions)('[EV-03] "$question" has an answer that stands literally on $page', (entry) => {
    expect(listPages(entry.language)).toContain(entry.page);
    const { document } = readPage(entry.language, entry.page);
    const units = [...document.querySelectorAll(UNITS)].map((element) => visibleText(element));
    expect(units.filter((unit) => unit.includes(entry.answer))).toHaveLength(1);
  });

  it.each(questions)('[CH-10] "$question" is asked in its language and does not copy its answer', (entry) => {
    const isChinese = /\p{Script=Han}/u.test(entry.question);
    expect(isChinese).toBe(entry.language === 'zh-CN');
    expect(entry.question).not.toContain(entry.answer);
    expect(entry.answer).not.toContain(entry.question);
  });
});
