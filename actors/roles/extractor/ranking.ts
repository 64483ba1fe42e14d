import { foldText, terms } from '#contracts/text/segment.ts';
import { shapeFit } from './answer-shape.ts';
import { parseQuestion, type Question } from './question.ts';
import { boostRows, type RowBoost } from './table-operators.ts';
import type { Unit } from './units.ts';

export type RankedUnit = {
  readonly unit: Unit;
  /** Comparable within one ranking only. */
  readonly score: number;
  /** Weight of the question's words found in the unit or its context, 0–1. */
  readonly support: number;
  readonly why: string;
};

export type RankOptions = {
  /** Pages in the order the search gave them; earlier ones are trusted more. */
  readonly sources?: readonly string[];
  /** Most units returned. */
  readonly limit?: number;
};

/** How much a word counts where it stands: in the unit, or only in what surrounds it. */
const FIELD_WEIGHTS = {
  own: 1,
  header: 0.7,
  context: 0.4,
  headings: 0.4,
  title: 0.3,
};
const SATURATION = 1.2;
const LENGTH_NORM = 0.45;
/** A word that stands nowhere counts as one that stands in this many units, or any verb of ours would outweigh the topic. */
const UNSEEN_COUNT = 3;
/** Pages that do not hold the name a question is about cannot answer it, whatever else they hold. */
const NAME_IMPORTANCE = 2;
/** A row that the table's own values single out answers more of the question than its words show. */
const BOOSTED_SUPPORT = 1.25;
const COVERAGE_FLOOR = 0.35;
const SHAPE_BONUS = 0.25;
const PHRASE_BONUS = 0.25;
const PRIOR_BONUS = 0.5;
const CODE_FACTOR = 0.45;
/** Lists of literature and links name much and state nothing. */
const REFERENCE_FACTOR = 0.4;
const REFERENCE_HEADING =
  /^(?:references|notes(?: and references)?|footnotes|citations|bibliography|external links|further reading|see also|参考|注释|脚注|外部链接|延伸阅读|参见)/i;
/** A word that comes up again and again on a page is what the page is about, though most units do not repeat it. */
const SALIENCE_WEIGHT = 0.3;
const SALIENCE_HALF = 5;
const DEFAULT_LIMIT = 100;

type Scored = {
  readonly unit: Unit;
  readonly score: number;
  readonly support: number;
  readonly matched: readonly string[];
};
type Field = keyof typeof FIELD_WEIGHTS;
type Indexed = {
  readonly unit: Unit;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
  /** Words that the page is about and the unit does not hold. */
  readonly about: Map<string, number>;
  readonly own: readonly string[];
};

/** Ranks units for a question by their words, the rarity of these among the units at hand, and the form of an answer. Deterministic. */
export function rankUnits(questionText: string, units: readonly Unit[], options: RankOptions = {}): RankedUnit[] {
  const question = parseQuestion(questionText);
  const indexed = indexUnits(
    units.filter((unit) => !repeatsQuestion(unit.text, questionText)),
    new Set(question.terms),
  );
  addSalience(indexed);
  const weigh = rarity(indexed);
  const priors = new Map(options.sources?.map((source, place) => [source, 1 / (1 + place)]));
  const scored = indexed
    .map((entry) => scoreUnit(question, entry, weigh, priors))
    .filter((entry) => entry.matched.length > 0);
  const scores = new Map(scored.map((entry) => [entry.unit, entry.score]));
  const supports = new Map(scored.map((entry) => [entry.unit, entry.support]));
  const boosts = boostRows(
    question,
    units.filter((unit) => scores.has(unit)),
    scores,
    weigh,
  );
  const ranked = scored.map(({ unit, score, support, matched }): RankedUnit => {
    const boost = boosts.get(unit);
    return {
      unit,
      score: score * (boost?.factor ?? 1),
      support: boostedSupport(support, boost, supports),
      why: [`words: ${matched.join(' ')}`, ...(boost === undefined ? [] : [boost.why])].join('; '),
    };
  });
  ranked.sort((a, b) => b.score - a.score || compareSources(a.unit, b.unit) || a.unit.order - b.unit.order);
  return dropRepeats(ranked, options.limit ?? DEFAULT_LIMIT);
}

const LEAST_QUESTION_CHARS = 8;

/** A unit that holds the question word for word asks it, as an example or in a list of questions; it does not answer it. */
function repeatsQuestion(text: string, question: string): boolean {
  const bare = (words: string): string =>
    foldText(words)
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const asked = bare(question);
  return asked.length >= LEAST_QUESTION_CHARS && bare(text).includes(asked);
}

function boostedSupport(own: number, boost: RowBoost | undefined, supports: ReadonlyMap<Unit, number>): number {
  if (boost === undefined) return own;
  const described = boost.beside === undefined ? own : Math.max(own, supports.get(boost.beside) ?? 0);
  return Math.min(1, described * BOOSTED_SUPPORT);
}

function compareSources(a: Unit, b: Unit): number {
  return a.source < b.source ? -1 : a.source > b.source ? 1 : 0;
}

function indexUnits(units: readonly Unit[], wanted: ReadonlySet<string>): Indexed[] {
  const shared = new Map<string, readonly string[]>();
  const termsOf = (text: string): readonly string[] => {
    const known = shared.get(text);
    if (known !== undefined) return known;
    const found = terms(text);
    shared.set(text, found);
    return found;
  };
  return units.map((unit) => {
    const own = terms(unit.text);
    const counts = new Map<string, number>();
    const count = (field: Field, list: readonly string[]): void => {
      const seen = new Map<string, number>();
      for (const term of list) if (wanted.has(term)) seen.set(term, (seen.get(term) ?? 0) + 1);
      for (const [term, times] of seen) {
        // Outside the unit repetition says nothing more.
        const value = FIELD_WEIGHTS[field] * (field === 'own' ? times : 1);
        counts.set(term, (counts.get(term) ?? 0) + value);
      }
    };
    count('own', own);
    count('header', termsOf(unit.row?.header.join(' ') ?? ''));
    count('context', termsOf(unit.context));
    count('headings', termsOf(unit.headings.join(' ')));
    count('title', termsOf(unit.title));
    return { unit, counts, length: own.length, own, about: new Map<string, number>() };
  });
}

/** Credits every unit of a page with the words that the whole page keeps coming back to. */
function addSalience(indexed: readonly Indexed[]): void {
  const pages = new Map<string, Map<string, number>>();
  for (const { unit, counts } of indexed) {
    const page = pages.get(unit.source) ?? new Map<string, number>();
    for (const term of counts.keys()) page.set(term, (page.get(term) ?? 0) + 1);
    pages.set(unit.source, page);
  }
  for (const entry of indexed) {
    for (const [term, times] of pages.get(entry.unit.source) ?? []) {
      const salience = (SALIENCE_WEIGHT * times) / (times + SALIENCE_HALF);
      if (!entry.counts.has(term)) entry.about.set(term, salience);
    }
  }
}

/** BM25's inverse document frequency over the units; context counts as containing. */
function rarity(indexed: readonly Indexed[]): (term: string) => number {
  const frequency = new Map<string, number>();
  for (const { counts } of indexed)
    for (const term of counts.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  return (term) => {
    const count = frequency.get(term) ?? UNSEEN_COUNT;
    return Math.log(1 + (indexed.length - count + 0.5) / (count + 0.5));
  };
}

function scoreUnit(
  question: Question,
  entry: Indexed,
  weigh: (term: string) => number,
  priors: ReadonlyMap<string, number>,
): Scored {
  const { unit, counts } = entry;
  const norm = 1 - LENGTH_NORM + LENGTH_NORM * (Math.max(entry.length, 6) / 24);
  let score = 0;
  let found = 0;
  let asked = 0;
  const matched: string[] = [];
  for (const term of question.terms) {
    const weight = weigh(term);
    const importance = (1 + weight) * (question.names.has(term) ? NAME_IMPORTANCE : 1);
    const inUnit = counts.get(term);
    const count = inUnit ?? entry.about.get(term);
    if (count !== undefined || !question.operators.has(term)) asked += importance;
    if (count === undefined) continue;
    matched.push(term);
    found += importance * (inUnit === undefined ? count : Math.min(1, 0.5 + inUnit / 2));
    score += (weight * count * (SATURATION + 1)) / (count + SATURATION * norm);
  }
  const support = asked === 0 ? 0 : found / asked;
  score *= COVERAGE_FLOOR + (1 - COVERAGE_FLOOR) * support;
  score *= 1 + SHAPE_BONUS * shapeFit(question.shape, unit);
  score *= 1 + PHRASE_BONUS * phraseShare(question.terms, entry.own);
  score *= 1 + PRIOR_BONUS * (priors.get(unit.source) ?? 0);
  if (unit.kind === 'code' || COMMAND_LINE.test(unit.text)) score *= asksForCode(question.text) ? 1 : CODE_FACTOR;
  if (isReference(unit)) score *= REFERENCE_FACTOR;
  return { unit, score, support, matched };
}

/** A line to be typed explains nothing, unless it is what was asked for. */
const COMMAND_LINE = /^\$ |^(?:npm|node|npx) [\w -]*[[<|]/u;
const asksForCode = (question: string): boolean =>
  /\b(?:commands?|syntax|examples?|code|flags?|options?|type|run)\b|命令|语法|示例|例子|代码|参数|选项/iu.test(
    question,
  );

function isReference(unit: Unit): boolean {
  return unit.text.startsWith('^') || REFERENCE_HEADING.test(unit.headings.at(-1) ?? '');
}

/** Share of the question's neighbouring word pairs that stand together in the unit. */
function phraseShare(asked: readonly string[], own: readonly string[]): number {
  if (asked.length < 2) return 0;
  const places = new Map<string, number[]>();
  own.forEach((term, at) => {
    const list = places.get(term);
    if (list === undefined) places.set(term, [at]);
    else list.push(at);
  });
  let together = 0;
  for (let i = 1; i < asked.length; i += 1) {
    const before = places.get(asked[i - 1] ?? '') ?? [];
    const after = new Set(places.get(asked[i] ?? '') ?? []);
    if (before.some((at) => after.has(at + 1) || after.has(at + 2))) together += 1;
  }
  return together / (asked.length - 1);
}

/** The same words again, on the same page or another, add nothing. The best-ranked copy stays. */
function dropRepeats(ranked: readonly RankedUnit[], limit: number): RankedUnit[] {
  const kept: RankedUnit[] = [];
  const keys = new Set<string>();
  for (const entry of ranked) {
    if (kept.length >= limit) break;
    const key = terms(entry.unit.text).join(' ');
    if (keys.has(key)) continue;
    keys.add(key);
    kept.push(entry);
  }
  return kept;
}
