import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type HelpDocument, LANGUAGES, listPages, PAGES_FOLDER, readPage, visibleText } from './help-page.ts';

const CJK = /\p{Script=Han}/u;
const URL_ATTRIBUTES = ['href', 'src', 'srcset', 'action', 'poster', 'data', 'background'];

const allPages = LANGUAGES.flatMap((language) => listPages(language).map((name) => ({ language, name })));

describe('the set of pages', () => {
  it('[CH-10] is the same in both languages and has at least 20 topics', () => {
    expect(listPages('zh-CN')).toEqual(listPages('en'));
    expect(listPages('en').length).toBeGreaterThanOrEqual(21);
  });

  it.each(LANGUAGES)('[CH-10] %s: every page can be reached from the index', (language) => {
    const links = [...readPage(language, 'index.html').document.querySelectorAll('article a')].map((link) =>
      link.getAttribute('href'),
    );
    const topics = listPages(language).filter((name) => name !== 'index.html');
    expect([...links].sort()).toEqual(topics);
  });

  it.each(LANGUAGES)('[CH-10] %s: no two pages share a title', (language) => {
    const titles = listPages(language).map((name) =>
      visibleText(readPage(language, name).document.querySelector('h1')),
    );
    expect(new Set(titles).size).toBe(titles.length);
  });
});

describe.each(allPages)('$language/$name', ({ language, name }) => {
  const { path, html, document } = readPage(language, name);

  it('[CH-10] is a plain HTML5 page with lang, title, one article and one heading of the first level', () => {
    expect(html).toMatch(/^<!doctype html>/i);
    expect(document.documentElement.getAttribute('lang')).toBe(language);
    expect(document.querySelector('meta[charset]')?.getAttribute('charset')).toBe('utf-8');
    expect(document.querySelectorAll('main > article')).toHaveLength(1);
    expect(document.querySelectorAll('h1')).toHaveLength(1);
    const heading = visibleText(document.querySelector('article > h1'));
    expect(heading).not.toBe('');
    expect(visibleText(document.querySelector('head > title'))).toContain(heading);
    expect(document.querySelector('header nav[aria-label] a')).not.toBeNull();
  });

  it('[CH-10] leaves nothing empty and gives every table a header row', () => {
    const texts = [...document.querySelectorAll('h1, h2, p, li, dt, dd, th, td')];
    expect(texts.filter((element) => visibleText(element) === '')).toEqual([]);
    for (const table of document.querySelectorAll('table')) {
      const columns = table.querySelectorAll('thead th[scope="col"]').length;
      expect(columns).toBeGreaterThanOrEqual(2);
      for (const row of table.querySelectorAll('tbody tr')) expect(row.children).toHaveLength(columns);
    }
  });

  it('[CH-10] runs nothing and loads nothing from elsewhere', () => {
    const active = 'script, style, iframe, object, embed, img, video, audio, form, base, meta[http-equiv]';
    expect(document.querySelectorAll(active)).toHaveLength(0);
    for (const element of document.querySelectorAll('*')) {
      for (const { name: attribute, value } of element.attributes) {
        expect(attribute).not.toMatch(/^on|^style$/i);
        if (URL_ATTRIBUTES.includes(attribute)) expect(value).not.toMatch(/^\s*([a-z][a-z0-9+.-]*:|\/)/i);
      }
    }
    const sheets = [...document.querySelectorAll('link')].map((link) => link.getAttribute('href'));
    expect(sheets).toEqual(['../style.css']);
  });

  it('[CH-10] has links that resolve inside the help, one of them to the page in the other language', () => {
    const hrefs = [...document.querySelectorAll('[href]')].map((element) => element.getAttribute('href') ?? '');
    for (const href of hrefs) {
      const [file = '', anchor] = href.split('#');
      const target = file === '' ? path : resolve(path, '..', file);
      expect(target.startsWith(PAGES_FOLDER), href).toBe(true);
      expect(existsSync(target), href).toBe(true);
      if (anchor !== undefined) expect(document.getElementById(anchor), href).not.toBeNull();
    }
    expect(hrefs).toContain(`../${language === 'en' ? 'zh-CN' : 'en'}/${name}`);
  });
});

describe.each(listPages('en'))('%s in both languages', (name) => {
  const english = readPage('en', name).document;
  const chinese = readPage('zh-CN', name).document;

  it('[CH-10] has the same structure: headings, paragraphs, list items, rows and terms', () => {
    for (const selector of ['h1', 'h2', 'p', 'article li', 'tr', 'dt', 'dd']) {
      expect(chinese.querySelectorAll(selector).length, selector).toBe(english.querySelectorAll(selector).length);
    }
  });

  it('[CH-10] names the same commands, variables, codes and files', () => {
    // Sample texts inside a command are translated; what identifies it is the part before the quotation mark.
    const codes = (page: HelpDocument) =>
      new Set([...page.querySelectorAll('code')].map((code) => visibleText(code).replace(/"[^"]*"/g, '""')));
    expect([...codes(english)].filter((code) => !codes(chinese).has(code))).toEqual([]);
    expect([...codes(chinese)].filter((code) => !codes(english).has(code))).toEqual([]);
  });

  it('[CH-10] is Chinese on the Chinese side and English on the English side', () => {
    const texts = (page: HelpDocument) =>
      [...page.querySelectorAll('article p, h1, h2')].map((element) => visibleText(element));
    const inChinese = texts(chinese).filter((text) => CJK.test(text)).length;
    expect(inChinese / texts(chinese).length).toBeGreaterThanOrEqual(0.6);
    expect(texts(english).filter((text) => CJK.test(text))).toEqual([]);
  });
});
