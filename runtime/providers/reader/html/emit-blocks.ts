import type { BlockKind } from '#contracts/research/page.ts';
import type { BlockInput } from '../text-builder.ts';
import { cellsOf, expandTable, isLayoutTable, isReferenceMark, rowsOf } from './table.ts';
import { BLOCK_TAGS, HEADING, SILENT_TAGS } from './tags.ts';
import { attribute, rawText, tidyText, type PageElement, type PageNode } from './tree.ts';

export type Emitted = { readonly blocks: BlockInput[]; readonly tables: string[][][] };

const KIND_OF_TAG: Readonly<Record<string, BlockKind>> = {
  li: 'list_item',
  dt: 'definition',
  dd: 'definition',
  blockquote: 'quote',
  figcaption: 'caption',
  caption: 'caption',
  pre: 'code',
  summary: 'paragraph',
};

/** Walks content in document order: inline text gathers until a block begins or ends. */
class BlockEmitter {
  readonly tables: string[][][] = [];
  readonly blocks: BlockInput[] = [];
  private inline: string[] = [];
  private readonly items: ReadonlySet<PageElement>;

  constructor(items: ReadonlySet<PageElement>) {
    this.items = items;
  }

  private readonly kinds: BlockKind[] = ['paragraph'];
  private get kind(): BlockKind {
    return this.kinds.at(-1) ?? 'paragraph';
  }

  flush(level?: number): void {
    if (this.inline.length === 0) return;
    const source = this.inline.join('');
    this.inline = [];
    for (const part of source.split(/\n[ \t]*\n\s*/u)) {
      const lines = part
        .split('\n')
        .map(tidyText)
        .filter((line) => line !== '');
      const text = lines.join('\n');
      if (text !== '') this.blocks.push({ kind: this.kind, text, ...(level === undefined ? {} : { level }) });
    }
  }

  emit(node: PageNode): void {
    if (node.kind === 'text') {
      this.inline.push(node.text.replace(/\s+/gu, ' '));
      return;
    }
    const { tag } = node;
    if (SILENT_TAGS.has(tag) || isReferenceMark(node)) return;
    if (tag === 'br') this.inline.push('\n');
    else if (this.items.has(node)) this.emitItem(node);
    else if (tag === 'table') this.emitTable(node);
    else if (tag === 'pre') this.emitCode(node);
    else if (HEADING.test(tag)) this.emitBlock(node, 'heading', Number(tag.slice(1)));
    else if (tag === 'math') this.inline.push(` ${attribute(node, 'alttext') || rawText(node)} `);
    else if (BLOCK_TAGS.has(tag)) this.emitBlock(node, this.kindIn(tag));
    else this.emitChildren(node);
  }

  private kindIn(tag: string): BlockKind {
    const own = KIND_OF_TAG[tag];
    if (own !== undefined) return own;
    // A paragraph inside a list item, a quotation or a caption is part of it.
    return tag === 'ul' || tag === 'ol' || tag === 'dl' ? 'paragraph' : this.kind;
  }

  private emitBlock(element: PageElement, kind: BlockKind, level?: number): void {
    this.flush();
    this.kinds.push(kind);
    this.emitChildren(element);
    this.flush(level);
    this.kinds.pop();
  }

  /** One entry of a listing: its lines stay together, so that a price stands with its name. */
  private emitItem(element: PageElement): void {
    this.flush();
    const entry = new BlockEmitter(new Set());
    for (const child of element.children) entry.emit(child);
    entry.flush();
    const text = entry.blocks.map((block) => block.text).join('\n');
    if (entry.tables.length > 0) this.emitBlock({ ...element, tag: 'div' }, 'paragraph');
    else if (text !== '') this.blocks.push({ kind: 'list_item', text });
  }

  private emitChildren(element: PageElement): void {
    for (const child of element.children) this.emit(child);
  }

  private emitCode(element: PageElement): void {
    this.flush();
    const text = rawText(element)
      .replace(/\r\n?/gu, '\n')
      .replace(/[ \t]+$/gmu, '')
      .replace(/^\n+|\n+$/gu, '');
    // Some sites put prose in `pre`; only what has no blocks inside keeps its white space.
    if (element.children.some((child) => child.kind === 'element' && child.tag === 'table')) this.emitChildren(element);
    else if (text.trim() !== '') this.blocks.push({ kind: 'code', text });
  }

  private emitTable(table: PageElement): void {
    this.flush();
    if (isLayoutTable(table)) {
      for (const row of rowsOf(table)) for (const cell of cellsOf(row.element)) this.emitBlock(cell, this.kind);
      return;
    }
    const grid = expandTable(table);
    if (grid.caption !== '') this.blocks.push({ kind: 'caption', text: grid.caption });
    const index = this.tables.length;
    this.tables.push(grid.rows);
    for (const [row, cells] of grid.rows.entries()) {
      if (cells.every((cell) => cell === '')) continue;
      this.blocks.push({
        kind: grid.headerRows.has(row) ? 'table_header' : 'table_row',
        text: cells.join('\t'),
        table: { index, row },
      });
    }
    this.emitNestedTables(table);
  }

  private emitNestedTables(table: PageElement): void {
    for (const row of rowsOf(table)) {
      for (const cell of cellsOf(row.element)) this.collectNested(cell);
    }
  }

  /** The words of an inner table already stand in the cell around it; only its grid is added. */
  private collectNested(parent: PageElement): void {
    for (const child of parent.children) {
      if (child.kind !== 'element') continue;
      if (child.tag === 'table') {
        if (!isLayoutTable(child)) this.tables.push(expandTable(child).rows);
        this.emitNestedTables(child);
      } else this.collectNested(child);
    }
  }
}

/** Content → its blocks in order, and its tables. */
export function emitBlocks(roots: readonly PageNode[], items: ReadonlySet<PageElement> = new Set()): Emitted {
  const emitter = new BlockEmitter(items);
  for (const root of roots) {
    emitter.emit(root);
    emitter.flush();
  }
  return { blocks: emitter.blocks, tables: emitter.tables };
}
