import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PageIndex, Passage, PostingCounts } from '#contracts/ports/library-store.ts';
import type { Block, ReadPage } from '#contracts/research/page.ts';
import { terms, TEXT_RULES_VERSION } from '#contracts/text/segment.ts';

/** Raised when the index of the same page and the same text rules comes out differently. */
export const INDEX_RULES = `index/1 ${TEXT_RULES_VERSION}`;

const MAX_PASSAGES = 20_000;
const SNIPPET_CHARS = 400;
/** Longer "words" are encoded data, not words. */
const MAX_TERM_CHARS = 64;

type Field = keyof PostingCounts;

/** About ten milliseconds of work; then others have their turn. */
const TURN_CHARS = 8_000;

/** A read page → what the index keeps of it. A long page is worked on in short turns. */
export async function indexPage(page: ReadPage, fallbackTitle: string): Promise<PageIndex> {
  const title = page.title.trim() === '' ? fallbackTitle : page.title.trim();
  const counts = new FieldCounts();
  counts.add('title', termsOf(title));
  const passages: Passage[] = [];
  const around = new Surroundings();
  let turnChars = 0;
  for (const block of page.blocks) {
    turnChars += block.text.length;
    if (turnChars > TURN_CHARS) {
      await nextTurn();
      turnChars = 0;
    }
    const own = termsOf(block.text);
    counts.add(fieldOf(block), own);
    around.enter(block, own);
    if (block.kind === 'title' || block.kind === 'table_header' || passages.length >= MAX_PASSAGES) continue;
    passages.push({ terms: own.join(' '), context: around.context(block), text: snippetOf(block.text) });
  }
  return { title: title.slice(0, 500), language: page.language, ...counts.result(), passages };
}

function termsOf(text: string): string[] {
  return terms(text).filter((term) => term.length <= MAX_TERM_CHARS);
}

function fieldOf(block: Block): Field {
  if (block.kind === 'title') return 'title';
  if (block.kind === 'heading') return 'headings';
  return block.kind === 'table_header' || block.kind === 'caption' ? 'tableHeaders' : 'body';
}

function snippetOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= SNIPPET_CHARS ? line : `${line.slice(0, SNIPPET_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Headings above a block and the header of the table it is in. */
class Surroundings {
  private readonly headings: { readonly level: number; readonly terms: readonly string[] }[] = [];
  private header: readonly string[] = [];
  private headerTable = -1;

  enter(block: Block, own: readonly string[]): void {
    if (block.kind === 'heading') {
      const level = block.level ?? 2;
      while ((this.headings.at(-1)?.level ?? 0) >= level) this.headings.pop();
      this.headings.push({ level, terms: own });
    }
    if (block.kind !== 'table_header') return;
    const isSame = block.table?.index === this.headerTable;
    this.header = isSame ? [...this.header, ...own] : own;
    this.headerTable = block.table?.index ?? -1;
  }

  context(block: Block): string {
    const headings = this.headings.flatMap((heading) => (block.kind === 'heading' ? [] : heading.terms));
    const header = block.table !== undefined && block.table.index === this.headerTable ? this.header : [];
    return [...new Set([...headings, ...header])].join(' ');
  }
}

class FieldCounts {
  private readonly postings = new Map<
    string,
    { title: number; headings: number; tableHeaders: number; body: number }
  >();
  private readonly lengths = { title: 0, headings: 0, tableHeaders: 0, body: 0 };

  add(field: Field, list: readonly string[]): void {
    this.lengths[field] += list.length;
    for (const term of list) {
      let counts = this.postings.get(term);
      if (counts === undefined) {
        counts = { title: 0, headings: 0, tableHeaders: 0, body: 0 };
        this.postings.set(term, counts);
      }
      counts[field] += 1;
    }
  }

  result(): Pick<PageIndex, 'postings' | 'lengths'> {
    return { postings: this.postings, lengths: this.lengths };
  }
}
