import type { Block } from '#contracts/research/page.ts';

/*
 * Lays a source text out for reading, with quotes marked. Pure.
 *   1. All segments and gaps joined are the text that was laid out, character for character.
 *   2. The segments marked `active` joined (with the gaps between them) are `text.slice(start, end)`.
 */

export type Mark = { readonly start: number; readonly end: number; readonly active: boolean };
export type Segment = { readonly text: string; readonly mark: 'active' | 'other' | null };
export type SourceBlock = {
  readonly kind: Block['kind'];
  readonly level: number;
  readonly table: number | null;
  readonly segments: readonly Segment[];
};
export type SourceLayout = {
  /** Blocks and the text between them (line breaks), in order. */
  readonly parts: readonly ({ readonly block: SourceBlock } | { readonly gap: readonly Segment[] })[];
  /** True when parts before or after were left out. */
  readonly cut: boolean;
};

/** Blocks drawn at once; a long text is cut around the quote so that the panel opens at once. */
const MAX_BLOCKS = 600;

export function layOutSource(
  text: string,
  blocks: readonly Block[],
  marks: readonly Mark[],
  whole = false,
): SourceLayout {
  const usable = usableBlocks(text, blocks);
  const [from, to] = whole ? [0, usable.length] : windowAround(usable, marks.find((mark) => mark.active)?.start ?? 0);
  const shown = usable.slice(from, to);
  const cut = shown.length < usable.length;
  const parts: ({ block: SourceBlock } | { gap: readonly Segment[] })[] = [];
  let at = cut ? (shown[0]?.start ?? 0) : 0;
  for (const block of shown) {
    if (block.start > at) parts.push({ gap: cutByMarks(text, at, block.start, marks) });
    parts.push({ block: layOutBlock(text, block, marks) });
    at = block.end;
  }
  if (!cut && at < text.length) parts.push({ gap: cutByMarks(text, at, text.length, marks) });
  return { parts, cut };
}

export function cutByMarks(text: string, start: number, end: number, marks: readonly Mark[]): readonly Segment[] {
  const touching = marks.filter((mark) => mark.end > start && mark.start < end);
  const edges = new Set([start, end]);
  for (const mark of touching) {
    edges.add(Math.max(start, mark.start));
    edges.add(Math.min(end, mark.end));
  }
  const ordered = [...edges].sort((a, b) => a - b);
  return ordered.slice(0, -1).map((from, index) => {
    const to = ordered[index + 1] ?? end;
    const over = touching.filter((mark) => mark.start <= from && mark.end >= to);
    const kind = over.some((mark) => mark.active) ? 'active' : over.length > 0 ? 'other' : null;
    return { text: text.slice(from, to), mark: kind };
  });
}

function layOutBlock(text: string, block: Block, marks: readonly Mark[]): SourceBlock {
  return {
    kind: block.kind,
    level: block.level ?? 2,
    table: block.table?.index ?? null,
    segments: cutByMarks(text, block.start, block.end, marks),
  };
}

/** In order, inside the text, not overlapping. A text without usable blocks is shown line by line. */
function usableBlocks(text: string, blocks: readonly Block[]): readonly Block[] {
  const inside = blocks.filter((block) => block.end > block.start && block.end <= text.length);
  const ordered = inside.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const apart: Block[] = [];
  for (const block of ordered) if (block.start >= (apart.at(-1)?.end ?? 0)) apart.push(block);
  return apart.length > 0 ? apart : linesOf(text);
}

function linesOf(text: string): readonly Block[] {
  const lines: Block[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    if (end > start) lines.push({ kind: 'paragraph', text: line, start, end });
    start = end + 1;
  }
  return lines;
}

function windowAround(blocks: readonly Block[], offset: number): [number, number] {
  if (blocks.length <= MAX_BLOCKS) return [0, blocks.length];
  const found = blocks.findIndex((block) => block.end > offset);
  const middle = found === -1 ? blocks.length : found;
  const from = Math.max(0, Math.min(blocks.length - MAX_BLOCKS, middle - MAX_BLOCKS / 2));
  return [from, from + MAX_BLOCKS];
}
