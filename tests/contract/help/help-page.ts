import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseHTML } from 'linkedom';

export const LANGUAGES = ['en', 'zh-CN'] as const;
export type HelpLanguage = (typeof LANGUAGES)[number];

/** The folder that holds one subfolder of pages per language, and the style sheet they share. */
export const PAGES_FOLDER = fileURLToPath(new URL('../../../runtime/main/help/pages/', import.meta.url));

/** The part of the DOM these tests use; the parser's own types need the DOM library, which server code goes without. */
export type HelpElement = {
  readonly textContent: string | null;
  readonly children: ArrayLike<HelpElement>;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  getAttribute(name: string): string | null;
  querySelector(selector: string): HelpElement | null;
  querySelectorAll(selector: string): ArrayLike<HelpElement> & Iterable<HelpElement>;
};
export type HelpDocument = HelpElement & {
  readonly documentElement: HelpElement;
  getElementById(id: string): HelpElement | null;
};

/** Names of the pages of one language, sorted. */
export function listPages(language: HelpLanguage): string[] {
  return readdirSync(`${PAGES_FOLDER}${language}`).sort();
}

export function readPage(language: HelpLanguage, name: string) {
  const path = `${PAGES_FOLDER}${language}/${name}`;
  const html = readFileSync(path, 'utf8');
  const document: HelpDocument = parseHTML(html).document;
  return { path, html, document };
}

/** Text as a reader sees it: line breaks of the source file count as one space. */
export function visibleText(element: HelpElement | null): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
}
