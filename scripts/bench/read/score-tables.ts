// Does one of the tables that were read hold the true one?
//
// The true tables were tidied when they were collected: reference marks gone, rows that repeat one value gone, columns with fewer
// than two filled cells gone, neighbouring columns that never disagree merged, header rows folded into one. The same is done here to
// what was read, for one to four header rows; white space never counts.

type Rows = readonly (readonly string[])[];
export type TableScore = { readonly cells: number; readonly isExact: boolean };

const MARK = /\[\s*(?:\d{1,3}|[a-z]{1,2}|(?:n|note|nb|fn|a|upper-alpha)\s*\d{1,3})\s*\]/giu;
const MOST_HEADER_ROWS = 4;

function cellKey(text: string): string {
  return text
    .replace(MARK, '')
    .normalize('NFKC')
    .replace(/[\s\u200b\u200e\u200f\ufeff]+/gu, '');
}

function turned(rows: Rows): string[][] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? ''));
}

function mergeAgreeing(columns: readonly string[][]): string[][] {
  const merged: string[][] = [];
  for (const column of columns) {
    const before = merged.at(-1);
    const agrees = before?.every((cell, row) => cell === '' || column[row] === '' || cell === column[row]);
    if (before === undefined || agrees !== true) merged.push([...column]);
    else for (const [row, cell] of column.entries()) if (before[row] === '') before[row] = cell;
  }
  return merged;
}

function foldHeader(rows: Rows, count: number): Rows {
  if (count < 2 || rows.length <= count) return rows;
  const heads = turned(rows.slice(0, count)).map((names) =>
    names.filter((name, index) => name !== names[index - 1]).join(''),
  );
  return [heads, ...rows.slice(count)];
}

function tidied(rows: Rows, headerRows: number): Rows {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const full = rows.map((row) => Array.from({ length: width }, (_, column) => row[column] ?? ''));
  const telling = full.filter((row) => new Set(row).size > 1);
  const columns = turned(telling).filter((column) => column.filter((cell) => cell !== '').length >= 2);
  return foldHeader(turned(mergeAgreeing(columns)), headerRows);
}

function cellF1(truth: Rows, read: Rows): number {
  const wanted = truth.flat().filter((cell) => cell !== '');
  const given = read.flat().filter((cell) => cell !== '');
  const left = new Map<string, number>();
  for (const cell of wanted) left.set(cell, (left.get(cell) ?? 0) + 1);
  let shared = 0;
  for (const cell of given) {
    const count = left.get(cell) ?? 0;
    if (count === 0) continue;
    left.set(cell, count - 1);
    shared += 1;
  }
  return wanted.length + given.length === 0 ? 0 : (2 * shared) / (wanted.length + given.length);
}

function isSame(truth: Rows, read: Rows): boolean {
  return JSON.stringify(turned(truth)) === JSON.stringify(turned(read));
}

/** The best table of the page. */
export function scoreTables(gold: Rows, tables: readonly Rows[]): TableScore {
  const truth = gold.map((row) => row.map(cellKey));
  let best: TableScore = { cells: 0, isExact: false };
  for (const table of tables) {
    const keyed = table.map((row) => row.map(cellKey));
    for (let headerRows = 1; headerRows <= MOST_HEADER_ROWS; headerRows += 1) {
      const read = tidied(keyed, headerRows);
      best = { cells: Math.max(best.cells, cellF1(truth, read)), isExact: best.isExact || isSame(truth, read) };
    }
  }
  return best;
}
