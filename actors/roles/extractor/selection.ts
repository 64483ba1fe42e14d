import { parseQuestion } from './question.ts';
import type { RankedUnit } from './ranking.ts';
import type { Unit } from './units.ts';

export type SelectOptions = {
  readonly form: 'short_answer' | 'report';
  readonly maxUnits: number;
  readonly question: string;
  /** All units of the pages, so that a list can be completed. */
  readonly units: readonly Unit[];
};

/** Below this share of the question's weight in its best unit, the pages do not speak of what is asked. */
export const MIN_SUPPORT = 0.55;
/** Units much weaker than the best one only dilute the answer. */
const TAIL = { short_answer: 0.5, report: 0.42 } as const;
const TAIL_SUPPORT = 0.6;
const MAX_STEPS = 8;
const LEADS_IN = /[:：]$/;

/**
 * The units to present, best first; a list stays in its own order behind its lead-in. Empty when nothing supports an answer.
 */
export function selectAnswerUnits(ranked: readonly RankedUnit[], options: SelectOptions): RankedUnit[] {
  const best = ranked[0];
  if (best === undefined) return [];
  const supported = ranked.filter((entry) => entry.support >= MIN_SUPPORT);
  const first = supported[0];
  if (first === undefined || first.score < best.score * TAIL[options.form]) return [];
  const kept = ranked.filter(
    (entry) => entry.score >= best.score * TAIL[options.form] && entry.support >= first.support * TAIL_SUPPORT,
  );
  // A procedure with a missing step is wrong, and so is "the differences are:" with one of them left out.
  const needsWholeList = parseQuestion(options.question).shape === 'instruction' || LEADS_IN.test(best.unit.text);
  const withLists = needsWholeList ? completeLists(kept, ranked, options.units) : kept;
  return orderLists(withLists.slice(0, options.maxUnits));
}

/** The list that the best units belong to or lead into comes whole. */
function completeLists(
  kept: readonly RankedUnit[],
  ranked: readonly RankedUnit[],
  units: readonly Unit[],
): RankedUnit[] {
  const known = new Map(ranked.map((entry) => [entry.unit, entry]));
  const result: RankedUnit[] = [];
  const add = (unit: Unit, like: RankedUnit): void => {
    if (!result.some((entry) => entry.unit === unit))
      result.push(known.get(unit) ?? { ...like, unit, why: 'same list' });
  };
  kept.forEach((entry, place) => {
    if (place < 2) for (const unit of listAround(entry.unit, units)) add(unit, entry);
    add(entry.unit, entry);
  });
  return result;
}

function listAround(unit: Unit, units: readonly Unit[]): Unit[] {
  const page = units.filter((other) => other.source === unit.source);
  const at = page.indexOf(unit);
  const list = unit.list ?? (LEADS_IN.test(unit.text) ? page[at + 1]?.list : undefined);
  if (list === undefined) return [];
  const items = page.filter((other) => other.list === list);
  if (items.length > MAX_STEPS) return [];
  const before = page[page.indexOf(items[0] ?? unit) - 1];
  const leadIn =
    before !== undefined && before.text === items[0]?.context && LEADS_IN.test(before.text) ? [before] : [];
  return [...leadIn, ...items];
}

/** Items of one list stand together, in document order, where the best of them stood; a chosen lead-in goes before them. */
function orderLists(chosen: readonly RankedUnit[]): RankedUnit[] {
  const ordered: RankedUnit[] = [];
  for (const entry of chosen) {
    if (ordered.includes(entry)) continue;
    const group = chosen.filter((other) => isSameList(entry.unit, other.unit));
    ordered.push(...group.sort((a, b) => a.unit.order - b.unit.order));
  }
  return [...new Set(ordered)];
}

function isSameList(a: Unit, b: Unit): boolean {
  if (a === b) return true;
  if (a.source !== b.source) return false;
  if (a.list !== undefined && a.list === b.list) return true;
  return leadsInto(a, b) || leadsInto(b, a);
}

function leadsInto(a: Unit, b: Unit): boolean {
  return a.list === undefined && b.list !== undefined && LEADS_IN.test(a.text) && b.context === a.text;
}
