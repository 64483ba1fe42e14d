import { fail } from '#contracts/errors.ts';
import type { ReaderPort } from '#contracts/ports/reader.ts';
import { INDEX_RULES, indexPage } from './page-index.ts';
import type { PageIndexer } from './root-index.ts';

/** Indexes on the calling thread: one page at a time, tens of milliseconds each. */
export function createPageIndexer(reader: ReaderPort): PageIndexer {
  return {
    rules: `${INDEX_RULES} ${reader.parserVersion}`,
    async index(raw, fallbackTitle) {
      const page = await reader.read(raw);
      if (page.blocked !== undefined) return fail('page.blocked', `The page is no content: ${page.blocked}`);
      if (page.text.trim() === '') return fail('page.empty', 'The page has no text.');
      return indexPage(page, fallbackTitle);
    },
  };
}
