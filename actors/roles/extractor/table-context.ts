import type { Block, ReadPage } from '#contracts/research/page.ts';

/** What the rows of one table need to be understood. */
export type TableContext = {
  readonly caption: string;
  /** One name a column; empty when the table names none. */
  readonly header: readonly string[];
  /** Rows that name columns or sections and are no facts of their own. */
  readonly labelRows: ReadonlySet<number>;
  /** Row → the nearest section label above it. */
  readonly sections: ReadonlyMap<number, string>;
};

type Page = Pick<ReadPage, 'blocks' | 'tables'>;

export function tableContexts(page: Page): ReadonlyMap<number, TableContext> {
  const marked = new Map<number, Set<number>>();
  const captions = new Map<number, string>();
  page.blocks.forEach((block, at) => {
    if (block.table === undefined) return;
    const { index, row } = block.table;
    if (block.kind === 'table_header') {
      const rows = marked.get(index) ?? new Set<number>();
      marked.set(index, rows.add(row));
    }
    if (!captions.has(index)) captions.set(index, captionBefore(page.blocks, at));
  });
  return new Map(
    page.tables.map((rows, index) => [
      index,
      contextOf(rows, marked.get(index) ?? new Set(), captions.get(index) ?? ''),
    ]),
  );
}

function captionBefore(blocks: readonly Block[], at: number): string {
  const before = blocks[at - 1];
  return before?.kind === 'caption' ? before.text : '';
}

function contextOf(rows: readonly (readonly string[])[], marked: ReadonlySet<number>, caption: string): TableContext {
  const leading = leadingHeaderRows(rows, marked);
  const labelRows = new Set(marked);
  for (const row of leading) labelRows.add(row);
  const sections = new Map<number, string>();
  let section = '';
  rows.forEach((cells, row) => {
    if (!labelRows.has(row) && isLabel(cells)) {
      section = cells.find((cell) => cell !== '') ?? '';
      labelRows.add(row);
    }
    if (section !== '') sections.set(row, section);
  });
  return { caption, header: mergeRows(leading.map((row) => rows[row] ?? [])), labelRows, sections };
}

/** Marked rows at the top; without any, a first row of distinct words above rows that hold numbers. */
function leadingHeaderRows(rows: readonly (readonly string[])[], marked: ReadonlySet<number>): number[] {
  const first = rows.findIndex((cells, row) => marked.has(row) && !isLabel(cells));
  if (first >= 0 && first <= 3) {
    const found = [first];
    while (marked.has((found.at(-1) ?? 0) + 1)) found.push((found.at(-1) ?? 0) + 1);
    return found;
  }
  const top = rows[0];
  if (top === undefined || rows.length < 3 || top.length < 2) return [];
  const isWords = top.every((cell) => cell !== '' && cell.length <= 60 && !/^[\d.,%$€£¥-]+$/.test(cell));
  const hasNumbersBelow = rows.slice(1).some((cells) => cells.some((cell) => /\d/.test(cell)));
  return isWords && new Set(top).size === top.length && top.length > 2 && hasNumbersBelow ? [0] : [];
}

/** One text over the whole width. */
function isLabel(cells: readonly string[]): boolean {
  if (cells.length < 2) return false;
  const words = new Set(cells.filter((cell) => cell !== ''));
  return words.size === 1 && cells.every((cell) => cell !== '');
}

function mergeRows(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  return Array.from({ length: width }, (_, column) =>
    [...new Set(rows.map((cells) => cells[column] ?? ''))].filter((name) => name !== '').join(' '),
  );
}
