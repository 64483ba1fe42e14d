// How much of an article's body was read, and how much beside it.
//
// The method of the public article extraction benchmark: runs of four words, each counted as often as both sides have it; shares of
// one page; the mean over pages of precision and of recall; the harmonic mean of the two.

const WORD = /[\p{L}\p{N}_]+/gu;
const RUN = 4;

export type Overlap = { readonly both: number; readonly extra: number; readonly missing: number };
export type ArticleScore = { readonly f1: number; readonly precision: number; readonly recall: number };

function countRuns(text: string): Map<string, number> {
  const words = text.match(WORD) ?? [];
  const counts = new Map<string, number>();
  // A text of fewer words is one run of all of them.
  const runs = words.length === 0 ? 0 : Math.max(1, words.length - RUN + 1);
  for (let at = 0; at < runs; at += 1) {
    const run = words.slice(at, at + RUN).join(' ');
    counts.set(run, (counts.get(run) ?? 0) + 1);
  }
  return counts;
}

export function overlapOf(truth: string, read: string): Overlap {
  const wanted = countRuns(truth);
  const given = countRuns(read);
  let [both, extra, missing] = [0, 0, 0];
  for (const [run, count] of given) {
    const shared = Math.min(count, wanted.get(run) ?? 0);
    both += shared;
    extra += count - shared;
  }
  for (const [run, count] of wanted) missing += Math.max(0, count - (given.get(run) ?? 0));
  return { both, extra, missing };
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

export function harmonicMean(precision: number, recall: number): number {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** A page of which nothing was read has no precision, one without a body no recall. */
export function scoreArticles(overlaps: readonly Overlap[]): ArticleScore {
  const precision = mean(
    overlaps.filter(({ both, extra }) => both + extra > 0).map(({ both, extra }) => both / (both + extra)),
  );
  const recall = mean(
    overlaps.filter(({ both, missing }) => both + missing > 0).map(({ both, missing }) => both / (both + missing)),
  );
  return { f1: harmonicMean(precision, recall), precision, recall };
}
