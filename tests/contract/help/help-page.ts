import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseHTML } from 'linkedom';

export const LANGUAGES = ['en', 'zh-CN'] as const;
export type HelpLanguage = (typeof LANGUAGES)[number];

/** The folder that holds one subfolder of pages per language, and the style sheet they share. */
export const PAGES_FOLDER = fileURLToPath(new URL('../../../runtime/main/help/pages/', import.meta.url));

/** Names of the pages of one language, sorted. */
export function listPages(language: HelpLanguage): string[] {
  return readdirSync(`${PAGES_FOLDER}${language}`).sort();
}

export function readPage(language: HelpLanguage, name: string) {
  const path = `${PAGES_FOLDER}${language}/${name}`;
  const html = readFileSync(path, 'utf8');
  return { path, html, document: parseHTML(html).document };
}

/** Text as a reader sees it: line breaks of the source file count as one space. */
export function visibleText(element: { textContent: string | null } | null): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
}
