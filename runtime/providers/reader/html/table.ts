import { attribute, findAll, findFirst, hasTag, tidyText, type PageElement, type PageNode } from './tree.ts';
import { BLOCK_TAGS, SILENT_TAGS } from './tags.ts';

export type Grid = {
  readonly caption: string;
  readonly rows: string[][];
  /** Rows that only name the columns. */
  readonly headerRows: ReadonlySet<number>;
};

const MAX_COLUMNS = 500;
const MAX_CELLS = 400_000;

type TableRow = { readonly element: PageElement; readonly isHead: boolean; readonly section: number };

/** The rows of this table, not those of tables inside its cells. */
export function rowsOf(table: PageElement): TableRow[] {
  const rows: TableRow[] = [];
  let section = 0;
  const visit = (parent: PageElement, isHead: boolean): void => {
    for (const child of parent.children) {
      if (child.kind !== 'element' || child.tag === 'table') continue;
      if (child.tag === 'tr') rows.push({ element: child, isHead, section });
      else if (child.tag !== 'td' && child.tag !== 'th' && child.tag !== 'caption') {
        section += 1;
        visit(child, isHead || child.tag === 'thead');
      }
    }
  };
  visit(table, false);
  return rows;
}

export function cellsOf(row: PageElement): PageElement[] {
  return row.children.filter((child): child is PageElement => child.kind === 'element' && /^t[dh]$/u.test(child.tag));
}

/** `[3]`, `[a]`, `[note 2]`: a mark that leads to a foot note, no part of the sentence. */
export function isReferenceMark(element: PageElement): boolean {
  if (element.tag !== 'sup') return false;
  const link = findFirst(element, (below) => below.tag === 'a');
  if (link === undefined || !attribute(link, 'href').includes('#')) return false;
  return /^(?:\[\s*[^\]]{1,16}\s*\]\s*)+$/u.test(tidyText(textOf(element)));
}

function textOf(node: PageNode): string {
  return node.kind === 'text' ? node.text : node.children.map(textOf).join('');
}

function cellParts(node: PageNode, into: string[]): void {
  if (node.kind === 'text') into.push(node.text);
  else if (node.tag === 'br') into.push('\n');
  else if (node.tag === 'img') {
    // A flag or a tick may be all that a cell says.
    if (into.length === 0) into.push('');
  } else if (!SILENT_TAGS.has(node.tag) && !isReferenceMark(node)) {
    const isBlock = BLOCK_TAGS.has(node.tag);
    if (isBlock) into.push('\n');
    for (const child of node.children) cellParts(child, into);
    if (isBlock) into.push('\n');
  }
}

export function cellText(cell: PageElement): string {
  const parts: string[] = [];
  for (const child of cell.children) cellParts(child, parts);
  return tidyText(parts.join(''));
}

function span(cell: PageElement, name: string, most: number): number {
  const value = Number.parseInt(attribute(cell, name), 10);
  return Number.isFinite(value) && value >= 1 ? Math.min(value, most) : 1;
}

/** Rows that the span of a cell may reach: to the end of its section, as the HTML standard says. */
function rowsLeft(rows: readonly TableRow[], index: number): number {
  const section = rows[index]?.section;
  let end = index;
  while (end < rows.length && rows[end]?.section === section) end += 1;
  return end - index;
}

function fill(
  grid: string[][],
  at: { row: number; column: number },
  size: { rows: number; columns: number },
  text: string,
) {
  for (let row = at.row; row < at.row + size.rows; row += 1) {
    const line = (grid[row] ??= []);
    for (let column = at.column; column < at.column + size.columns; column += 1) line[column] ??= text;
  }
}

/** Every cell in every place that it covers; short rows are filled up with empty cells. */
export function expandTable(table: PageElement): Grid {
  const rows = rowsOf(table);
  const grid: string[][] = rows.map(() => []);
  const headerRows = new Set<number>();
  let cellCount = 0;
  for (const [index, row] of rows.entries()) {
    const cells = cellsOf(row.element);
    const isHeader = cells.length > 0 && (row.isHead || (cells.length > 1 && cells.every((cell) => cell.tag === 'th')));
    if (isHeader) headerRows.add(index);
    let column = 0;
    for (const cell of cells) {
      while (grid[index]?.[column] !== undefined) column += 1;
      if (column >= MAX_COLUMNS) break;
      const columns = span(cell, 'colspan', MAX_COLUMNS - column);
      const left = rowsLeft(rows, index);
      const wanted = attribute(cell, 'rowspan').trim() === '0' ? left : Math.min(span(cell, 'rowspan', 65_534), left);
      cellCount += columns * wanted;
      const height = cellCount > MAX_CELLS ? 1 : wanted;
      fill(
        grid,
        { row: index, column },
        { rows: height, columns: cellCount > MAX_CELLS ? 1 : columns },
        cellText(cell),
      );
      column += columns;
    }
  }
  return { caption: captionOf(table), ...squared(grid, headerRows) };
}

function captionOf(table: PageElement): string {
  const caption = table.children.find((child) => child.kind === 'element' && child.tag === 'caption');
  return caption?.kind === 'element' ? cellText(caption) : '';
}

function squared(
  grid: string[][],
  headerRows: ReadonlySet<number>,
): { rows: string[][]; headerRows: ReadonlySet<number> } {
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  const rows: string[][] = [];
  const headers = new Set<number>();
  for (const [index, row] of grid.entries()) {
    if (row.length === 0) continue;
    if (headerRows.has(index)) headers.add(rows.length);
    rows.push(Array.from({ length: width }, (_, column) => row[column] ?? ''));
  }
  return { rows, headerRows: headers };
}

/** A table that only places things on the screen: its cells are read as blocks, not as a grid. */
export function isLayoutTable(table: PageElement): boolean {
  if (/^(?:presentation|none)$/u.test(attribute(table, 'role'))) return true;
  const rows = rowsOf(table);
  const cells = rows.map((row) => cellsOf(row.element));
  const widest = cells.reduce((most, row) => Math.max(most, row.length), 0);
  if (rows.length === 0 || widest === 0) return true;
  const nested = findAll(table, (element) => element.tag === 'table').filter((inner) => rowsOf(inner).length > 0);
  const hasHeader = cells.some((row) => row.some((cell) => cell.tag === 'th')) || hasTag(table, 'thead');
  if (widest <= 1 && !hasHeader) return true;
  if (hasHeader || hasTag(table, 'caption')) return false;
  if (nested.length > 0) return true;
  if (rows.length === 1) return true;
  const long = cells
    .flat()
    .filter((cell) => findAll(cell, (below) => /^(?:p|ul|ol|h[1-6]|div)$/u.test(below.tag)).length > 3);
  return long.length * 4 > cells.flat().length;
}
