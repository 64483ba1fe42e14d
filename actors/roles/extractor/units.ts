import type { Block, ReadPage } from '#contracts/research/page.ts';
import { splitSentences, type Span } from '#contracts/text/sentences.ts';
import { tableContexts, type TableContext } from './table-context.ts';

export type UnitKind = 'sentence' | 'row' | 'definition' | 'item' | 'code';

/** The smallest thing an answer may quote: `text === page.text.slice(start, end)`. */
export type Unit = {
  /** The caller's name of the page (source revision id, address). */
  readonly source: string;
  /** Position among the units of its page, from 0. */
  readonly order: number;
  readonly kind: UnitKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly title: string;
  /** From the outermost heading to the nearest one. */
  readonly headings: readonly string[];
  /** What the unit cannot be understood without: a list's lead-in sentence, a table's caption and section. */
  readonly context: string;
  readonly row?: RowPlace;
  /** Items of the same list share this number. */
  readonly list?: number;
  /** PDF page, from 1. */
  readonly page?: number;
};

export type RowPlace = {
  readonly table: number;
  readonly row: number;
  readonly header: readonly string[];
  readonly cells: readonly string[];
};

export type UnitPage = Pick<ReadPage, 'title' | 'text' | 'blocks' | 'tables'>;

const MAX_ITEM_CHARS = 500;
const MAX_CODE_CHARS = 1000;
const MAX_ROW_CHARS = 3000;
const MAX_TERM_CHARS = 80;

/** Blocks of a page → its citable units, in order. Headings and titles are context, never units. */
export function unitsOf(page: UnitPage, source: string): Unit[] {
  return new UnitBuilder(page, source).build();
}

class UnitBuilder {
  private readonly page: UnitPage;
  private readonly source: string;
  private readonly tables: ReadonlyMap<number, TableContext>;
  private readonly units: Unit[] = [];
  private readonly headings: { level: number; text: string }[] = [];
  private lists = 0;
  private inList = false;
  private leadIn = '';

  constructor(page: UnitPage, source: string) {
    this.page = page;
    this.source = source;
    this.tables = tableContexts(page);
  }

  build(): Unit[] {
    const { blocks } = this.page;
    for (let at = 0; at < blocks.length; at += 1) {
      const block = blocks[at];
      if (block === undefined) continue;
      if (block.kind !== 'list_item') this.inList = false;
      at += this.addBlock(block, blocks[at + 1]);
    }
    return this.units;
  }

  /** Returns how many blocks after this one were used as well. */
  private addBlock(block: Block, next: Block | undefined): number {
    switch (block.kind) {
      case 'title':
      case 'table_header':
        return 0;
      case 'heading':
        this.enterHeading(block);
        return 0;
      case 'list_item':
        this.addItem(block);
        return 0;
      case 'definition':
        return this.addDefinition(block, next);
      case 'code':
        if (block.text.length <= MAX_CODE_CHARS) this.add('code', block, block, this.leadIn);
        return 0;
      case 'table_row':
        this.addRow(block);
        return 0;
      case 'paragraph':
      case 'quote':
      case 'caption':
        this.addSentences(block, 'sentence', '');
        return 0;
    }
  }

  private enterHeading(block: Block): void {
    const level = block.level ?? 2;
    while ((this.headings.at(-1)?.level ?? 0) >= level) this.headings.pop();
    this.headings.push({ level, text: block.text });
    this.leadIn = '';
  }

  private addSentences(block: Block, kind: UnitKind, context: string): void {
    const spans = splitSentences(this.page.text.slice(block.start, block.end), block.start);
    for (const span of spans) this.add(kind, span, block, context);
    const last = spans.at(-1);
    if (kind === 'sentence' && last !== undefined) this.leadIn = this.page.text.slice(last.start, last.end);
  }

  private addItem(block: Block): void {
    if (!this.inList) this.lists += 1;
    this.inList = true;
    if (block.text.length > MAX_ITEM_CHARS) this.addSentences(block, 'item', this.leadIn);
    else this.add('item', block, block, this.leadIn);
  }

  /** A term and its description are one unit when the two stand side by side and fit a quote; else sentences with the term as context. */
  private addDefinition(block: Block, next: Block | undefined): number {
    const isPair =
      next?.kind === 'definition' && block.text.length <= MAX_TERM_CHARS && next.text.length > block.text.length;
    if (!isPair) {
      this.addSentences(block, 'definition', '');
      return 0;
    }
    if (next.end - block.start <= MAX_ITEM_CHARS)
      this.add('definition', { start: block.start, end: next.end }, block, '');
    else this.addSentences(next, 'definition', block.text);
    return 1;
  }

  private addRow(block: Block): void {
    const context = block.table === undefined ? undefined : this.tables.get(block.table.index);
    if (block.table === undefined || context === undefined) {
      this.add('row', block, block, '');
      return;
    }
    const { index, row } = block.table;
    if (context.labelRows.has(row) || block.text.length > MAX_ROW_CHARS) return;
    const cells = this.page.tables[index]?.[row] ?? block.text.split('\t');
    const about = [context.caption, context.sections.get(row) ?? ''].filter((part) => part !== '').join(' · ');
    this.add('row', block, block, about, { table: index, row, header: context.header, cells });
  }

  private add(kind: UnitKind, { start, end }: Span, block: Block, context: string, row?: RowPlace): void {
    const text = this.page.text.slice(start, end);
    if (!/[\p{L}\p{N}]/u.test(text)) return;
    this.units.push({
      source: this.source,
      order: this.units.length,
      kind,
      text,
      start,
      end,
      title: this.page.title,
      headings: this.headings.map((heading) => heading.text),
      context,
      ...(row === undefined ? {} : { row }),
      ...(kind === 'item' ? { list: this.lists } : {}),
      ...(block.page === undefined ? {} : { page: block.page }),
    });
  }
}
