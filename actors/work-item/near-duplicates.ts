import { splitSentences } from '#contracts/text/sentences.ts';
import type { SourceRevision } from '#contracts/research/source.ts';

const FIGURE = /\d+(?:[.,]\d+)*/gu;
/** Fewer letters than this say too little to be recognised again. */
const MIN_LETTERS = 12;
/** Of the shorter page's sentences, how many stand on the other one, figures aside. */
const MIN_SHARE = 0.6;
const MIN_SHARED = 2;

export const figuresIn = (text: string): string => (text.normalize('NFKC').match(FIGURE) ?? []).join(' ');

export function hasEnoughWords(text: string): boolean {
  return text.replace(/[^\p{L}]/gu, '').length >= MIN_LETTERS;
}

/** A text with each figure as one `#`, and where every character of it stood. */
export type Masked = { readonly text: string; readonly places: readonly number[] };

export function maskFigures(text: string): Masked {
  const parts: string[] = [];
  const places: number[] = [];
  let from = 0;
  const copy = (to: number): void => {
    parts.push(text.slice(from, to));
    for (let at = from; at < to; at++) places.push(at);
  };
  for (const match of text.matchAll(FIGURE)) {
    copy(match.index);
    parts.push('#');
    places.push(match.index);
    from = match.index + match[0].length;
  }
  copy(text.length);
  places.push(text.length);
  return { text: parts.join(''), places };
}

/** Where the masked quote stands in a masked page, as offsets of the page itself. */
export function findMasked(page: Masked, wanted: string, limit: number): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let at = page.text.indexOf(wanted); at >= 0 && found.length < limit; at = page.text.indexOf(wanted, at + 1)) {
    found.push({ start: page.places[at] ?? 0, end: page.places[at + wanted.length] ?? 0 });
  }
  return found;
}

function wordingOf(source: SourceRevision): ReadonlySet<string> {
  const sentences = splitSentences(source.text).map(({ start, end }) => source.text.slice(start, end));
  return new Set(sentences.filter(hasEnoughWords).map((sentence) => maskFigures(sentence).text));
}

/** Pairs of pages that say the same, figures aside: copies, or a trap that perturbs the figures of one text. */
export function nearDuplicates(sources: readonly SourceRevision[]): (a: string, b: string) => boolean {
  const wordings = new Map(sources.map((source) => [source.source_revision_id, wordingOf(source)]));
  return (a, b) => {
    const [one, other] = [wordings.get(a), wordings.get(b)];
    if (one === undefined || other === undefined || a === b) return false;
    const [short, long] = one.size <= other.size ? [one, other] : [other, one];
    const shared = [...short].filter((sentence) => long.has(sentence)).length;
    return shared >= MIN_SHARED && shared / short.size >= MIN_SHARE;
  };
}
