// TextBuilder
//
// Joins blocks to the one text of a page.
// Owns:     the text so far, the offset of each block in it, the limit on its length.
// Owns not: what is a block (formats decide).
//
//   TB1  text.slice(block.start, block.end) === block.text for every block.
//   TB2  The text never passes the limit; what no longer fits is left out and counted.
import type { Block, BlockKind } from '#contracts/research/page.ts';

export const MAX_TEXT_CHARS = 2_000_000;

export type BlockInput = {
  readonly kind: BlockKind;
  readonly text: string;
  readonly level?: number;
  readonly table?: { readonly index: number; readonly row: number };
  readonly page?: number;
};

/** Blocks that belong together stand on neighbouring lines, others are parted by an empty line. */
const TIGHT: ReadonlySet<BlockKind> = new Set(['list_item', 'definition', 'table_row', 'table_header']);

export class TextBuilder {
  readonly blocks: Block[] = [];
  private readonly parts: string[] = [];
  private length = 0;
  private last: BlockInput | undefined;
  /** Characters that were left out by TB2. */
  omittedChars = 0;

  private separator(next: BlockInput): string {
    const last = this.last;
    if (last === undefined) return '';
    const sameTable = last.table === undefined || next.table === undefined || last.table.index === next.table.index;
    return TIGHT.has(last.kind) && TIGHT.has(next.kind) && sameTable ? '\n' : '\n\n';
  }

  add(input: BlockInput): void {
    if (input.text === '') return;
    const separator = this.separator(input);
    const start = this.length + separator.length;
    const room = MAX_TEXT_CHARS - start;
    const text = input.text.length <= room ? input.text : this.cut(input, room);
    this.omittedChars += input.text.length - text.length;
    if (text === '') return;
    this.parts.push(separator, text);
    this.length = start + text.length;
    this.last = input;
    this.blocks.push({ ...input, text, start, end: this.length });
  }

  /** Only a block that is too long on its own is cut, never a row, and never through a character. */
  private cut(input: BlockInput, room: number): string {
    if (room < 1000 || input.table !== undefined) return '';
    const text = input.text.slice(0, room);
    return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
  }

  get text(): string {
    return this.parts.join('');
  }
}
