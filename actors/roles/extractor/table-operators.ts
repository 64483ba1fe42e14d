import { terms } from '#contracts/text/segment.ts';
import { cellValue, isOrderable } from './cell-value.ts';
import type { Extreme, Question } from './question.ts';
import type { Unit } from './units.ts';

export type RowBoost = {
  readonly factor: number;
  readonly why: string;
  /** The row that the question describes, when this one is only its neighbour. */
  readonly beside?: Unit;
};

type Table = { readonly rows: readonly Unit[]; readonly header: readonly string[] };
type Column = {
  readonly index: number;
  readonly name: string;
  readonly match: number;
  readonly cells: readonly string[];
};

const RANK_COLUMN = /\b(?:rank|position|pos|place|peak|no|seed|grid)\b|排名|名次|位次/i;
const DATE_COLUMN = /\b(?:date|year|season|released?|opened|built|time)\b|日期|年份|时间/i;
/** How much the best row by an operator counts over its fellows; the next two get less. */
const EXTREME_FACTORS = [2, 1.5, 1.3];
const END_FACTORS = [1.8, 1.3];
const NEIGHBOUR_FACTOR = 1.6;

/**
 * Rows that a superlative, an order or a neighbourhood in the question points at, by the table's own values.
 * `scores` are the scores by words; they tell which row a neighbourhood starts from and weigh the columns.
 */
export function boostRows(
  question: Question,
  rows: readonly Unit[],
  scores: ReadonlyMap<Unit, number>,
  weigh: (term: string) => number,
): Map<Unit, RowBoost> {
  const boosts = new Map<Unit, RowBoost>();
  if (question.extreme === null && question.neighbour === null) return boosts;
  for (const table of tablesOf(rows)) {
    if (question.extreme !== null) boostExtremes(question, question.extreme, table, weigh, boosts);
    if (question.neighbour !== null) boostNeighbours(question.neighbour, table, scores, weigh, boosts);
  }
  return boosts;
}

function tablesOf(rows: readonly Unit[]): Table[] {
  const tables = new Map<string, Unit[]>();
  for (const unit of rows) {
    if (unit.row === undefined) continue;
    const key = `${unit.row.table} ${unit.source}`;
    const list = tables.get(key);
    if (list === undefined) tables.set(key, [unit]);
    else list.push(unit);
  }
  return [...tables.values()]
    .filter((list) => list.length >= 3)
    .map((list) => ({ rows: list, header: list[0]?.row?.header ?? [] }));
}

function raise(boosts: Map<Unit, RowBoost>, unit: Unit | undefined, boost: RowBoost): void {
  if (unit === undefined) return;
  const before = boosts.get(unit);
  if (before === undefined || before.factor < boost.factor) boosts.set(unit, boost);
}

function boostExtremes(
  question: Question,
  extreme: Extreme,
  table: Table,
  weigh: (term: string) => number,
  boosts: Map<Unit, RowBoost>,
): void {
  const column = namedColumn(question, extreme, table, weigh);
  if (column !== null) {
    const ordered = orderRows(table, column, wantsLargest(extreme, column));
    EXTREME_FACTORS.forEach((factor, i) => raise(boosts, ordered[i], { factor, why: `${extreme} by ${column.name}` }));
  }
  if (extreme === 'first' || extreme === 'last') {
    END_FACTORS.forEach((factor, i) => {
      const at = extreme === 'first' ? i : table.rows.length - 1 - i;
      raise(boosts, table.rows[at], { factor, why: `${extreme} row` });
    });
  }
}

function wantsLargest(extreme: Extreme, column: Column): boolean {
  const isLarge = extreme === 'most' || extreme === 'last';
  // The highest position is number one.
  return RANK_COLUMN.test(column.name) && extreme !== 'first' && extreme !== 'last' ? !isLarge : isLarge;
}

/** The orderable column whose name the question says, or which fits the kind of size it asks for. */
function namedColumn(
  question: Question,
  extreme: Extreme,
  table: Table,
  weigh: (term: string) => number,
): Column | null {
  const near = new Set(question.extremeTerms);
  const all = new Set(question.terms);
  const hints = new Set(question.extremeHints.flatMap((hint) => terms(hint)));
  let best: Column | null = null;
  table.header.forEach((name, index) => {
    const cells = table.rows.map((unit) => unit.row?.cells[index] ?? '');
    if (!isOrderable(cells)) return;
    let match = 0;
    for (const term of new Set(terms(name))) {
      if (near.has(term)) match += 2 * weigh(term);
      else if (all.has(term)) match += weigh(term);
      else if (hints.has(term)) match += 1;
    }
    if ((extreme === 'first' || extreme === 'last') && DATE_COLUMN.test(name)) match += 1;
    match /= Math.sqrt(Math.max(1, terms(name).length));
    if (match > (best?.match ?? 0.3)) best = { index, name, match, cells };
  });
  return best;
}

function orderRows(table: Table, column: Column, isLargestFirst: boolean): Unit[] {
  const sign = isLargestFirst ? -1 : 1;
  return table.rows
    .map((unit, i) => ({ unit, value: cellValue(column.cells[i] ?? '') }))
    .filter((row): row is { unit: Unit; value: number } => row.value !== null && !isTotal(row.unit))
    .sort((a, b) => sign * (a.value - b.value) || a.unit.order - b.unit.order)
    .map((row) => row.unit);
}

function isTotal(unit: Unit): boolean {
  return /^(?:grand )?(?:total|totals|sum|average|all)\b|^(?:总计|合计|平均)/i.test(
    unit.row?.cells.find((cell) => cell !== '') ?? '',
  );
}

/** The row beside the one that the words after "after" or "before" describe best. */
function boostNeighbours(
  neighbour: NonNullable<Question['neighbour']>,
  table: Table,
  scores: ReadonlyMap<Unit, number>,
  weigh: (term: string) => number,
  boosts: Map<Unit, RowBoost>,
): void {
  const wanted = new Set(neighbour.anchorTerms);
  let anchor = -1;
  let best = 0;
  table.rows.forEach((unit, at) => {
    let match = 0;
    for (const term of new Set(terms(unit.text))) if (wanted.has(term)) match += weigh(term);
    if (match > best) {
      best = match;
      anchor = at;
    }
  });
  if (anchor < 0) return;
  const anchorUnit = table.rows[anchor];
  const beside = table.rows[anchor + neighbour.step];
  if (anchorUnit === undefined || beside === undefined) return;
  // The neighbour shares the table's words but not the anchor's own, so it is lifted to the anchor's level.
  const level = (scores.get(anchorUnit) ?? 0) / Math.max(scores.get(beside) ?? 0, 1e-6);
  raise(boosts, beside, {
    factor: Math.min(Math.max(level * 1.05, NEIGHBOUR_FACTOR), 8),
    why: `row ${neighbour.step > 0 ? 'after' : 'before'}`,
    beside: anchorUnit,
  });
  const other = table.rows[anchor - neighbour.step];
  const otherLevel = (scores.get(anchorUnit) ?? 0) / Math.max(scores.get(other ?? anchorUnit) ?? 0, 1e-6);
  raise(boosts, other, { factor: Math.min(Math.max(otherLevel * 0.8, 1), 6), why: 'row beside', beside: anchorUnit });
}
