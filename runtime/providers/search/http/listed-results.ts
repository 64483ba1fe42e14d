import type { SearchSource } from '#contracts/research/search.ts';

export type Listed = { readonly url: string; readonly title: string; readonly text: string };

export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Engines mark the words that were asked for; marks are no part of the text. */
export const withoutMarks = (text: string): string =>
  text.replace(/<\/?(?:strong|b|em|mark|span)\b[^>]*>/giu, '').trim();

export function sourcesOf(results: readonly Listed[]): SearchSource[] {
  return results.map(({ url, title, text }) => ({
    url,
    title: title.slice(0, 500),
    ...(text === '' ? {} : { snippet: text.slice(0, 1000) }),
  }));
}

/** A list is all that engines without a model have to report. */
export function reportOf(results: readonly Listed[]): string {
  return results.map(({ url, title, text }, i) => `${i + 1}. ${title}\n${url}\n${text}`.trim()).join('\n\n');
}
