import type { Corpus, FieldLengths, PageSummary, Passage, Posting } from '#contracts/ports/library-store.ts';

type Field = keyof FieldLengths;

const FIELD_WEIGHTS: Readonly<Record<Field, number>> = { title: 5, headings: 2.5, tableHeaders: 1.5, body: 1 };
const FIELD_NORMS: Readonly<Record<Field, number>> = { title: 0.5, headings: 0.4, tableHeaders: 0.4, body: 0.6 };
const FIELDS: readonly Field[] = ['title', 'headings', 'tableHeaders', 'body'];
const SATURATION = 1.2;
/** A page in another language than the question may answer it, but one in its language comes first. */
const OTHER_LANGUAGE_FACTOR = 0.5;
const COVERAGE_FLOOR = 0.3;
const CONTEXT_WEIGHT = 0.5;

export type PageScore = { readonly pageId: string; readonly score: number };
export type Rarity = (term: string) => number;

/** Inverse document frequency of the query's terms among the pages. */
export function rarityOf(postings: readonly Posting[], corpus: Corpus): Rarity {
  const counts = new Map<string, number>();
  for (const { term } of postings) counts.set(term, (counts.get(term) ?? 0) + 1);
  return (term) => {
    const count = Math.min(counts.get(term) ?? 1, corpus.pages);
    return Math.log(1 + (corpus.pages - count + 0.5) / (count + 0.5));
  };
}

/** BM25F over the fields of a page, times how much of the query it covers. */
export function scorePages(
  query: readonly string[],
  postings: readonly Posting[],
  summaries: ReadonlyMap<string, PageSummary>,
  corpus: Corpus,
): PageScore[] {
  const rarity = rarityOf(postings, corpus);
  const asked = query.reduce((sum, term) => sum + rarity(term), 0);
  const sums = new Map<string, { score: number; found: number }>();
  for (const posting of postings) {
    const page = summaries.get(posting.pageId);
    if (page === undefined) continue;
    const weight = rarity(posting.term);
    const amount = fieldAmount(posting, page.lengths, corpus.averages);
    const sum = sums.get(posting.pageId) ?? { score: 0, found: 0 };
    sum.score += (weight * amount * (SATURATION + 1)) / (amount + SATURATION);
    sum.found += weight;
    sums.set(posting.pageId, sum);
  }
  return [...sums]
    .map(([pageId, { score, found }]) => ({ pageId, score: score * coverage(found, asked) }))
    .sort((a, b) => b.score - a.score || (a.pageId < b.pageId ? -1 : 1));
}

function coverage(found: number, asked: number): number {
  return COVERAGE_FLOOR + (1 - COVERAGE_FLOOR) * (asked === 0 ? 0 : found / asked);
}

function fieldAmount(posting: Posting, lengths: FieldLengths, averages: FieldLengths): number {
  let amount = 0;
  for (const field of FIELDS) {
    if (posting[field] === 0) continue;
    const norm = 1 - FIELD_NORMS[field] + FIELD_NORMS[field] * (lengths[field] / Math.max(averages[field], 1));
    amount += (FIELD_WEIGHTS[field] * posting[field]) / norm;
  }
  return amount;
}

/** 1 when the page is in the language of the question or either is unknown. */
export function languageFactor(asked: string, page: string): number {
  if (asked === 'und' || page === 'und' || page === '') return 1;
  return asked.slice(0, 2) === page.slice(0, 2).toLowerCase() ? 1 : OTHER_LANGUAGE_FACTOR;
}

export type BestPassage = { readonly passage: Passage; readonly score: number };

/** The block of the page that holds most of the query, closest together; null when none holds any of it. */
export function bestPassage(
  query: readonly string[],
  passages: readonly Passage[],
  rarity: Rarity,
): BestPassage | null {
  const asked = query.reduce((sum, term) => sum + rarity(term), 0);
  let best: BestPassage | null = null;
  for (const passage of passages) {
    const score = scorePassage(query, passage, rarity, asked);
    if (score > (best?.score ?? 0)) best = { passage, score };
  }
  return best;
}

function scorePassage(query: readonly string[], passage: Passage, rarity: Rarity, asked: number): number {
  const own = passage.terms.split(' ');
  const places = new Map<string, number>();
  own.forEach((term, at) => places.set(term, at));
  const context = new Set(passage.context.split(' '));
  let score = 0;
  let found = 0;
  let near = 0;
  let last: number | undefined;
  for (const term of query) {
    const weight = rarity(term);
    const at = places.get(term);
    if (at !== undefined) {
      score += weight;
      found += weight;
      if (last !== undefined && Math.abs(at - last) <= 3) near += weight;
    } else if (context.has(term)) {
      score += weight * CONTEXT_WEIGHT;
      found += weight * CONTEXT_WEIGHT;
    }
    last = at;
  }
  if (score === 0) return 0;
  const length = 1 + Math.max(0, Math.log2(own.length / 40)) * 0.15;
  return ((score + near * 0.3) * coverage(found, asked)) / length;
}
