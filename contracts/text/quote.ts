import { isCjk } from './segment.ts';

export type Quote = { readonly quote: string; readonly start: number; readonly end: number };

/** EV-03: the quote stands at exactly these offsets (UTF-16 code units), character by character. */
export function verifyQuote(text: string, quote: Quote): boolean {
  const { start, end } = quote;
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end <= start || end > text.length)
    return false;
  return text.slice(start, end) === quote.quote;
}

/**
 * Finds a quote that somebody retyped: white space, NBSP, curly quotes, dashes and full-width punctuation may differ, letters and digits may not.
 * Returns the page's own characters with true offsets, the place nearest to `nearStart` when there are several, or null.
 * A quote that would begin or end inside a word or a number is not found.
 */
export function locateQuote(text: string, quote: string, nearStart = 0): Quote | null {
  let best: Quote | null = null;
  for (const found of quoteFinder(text)(quote)) {
    if (best === null || Math.abs(found.start - nearStart) < Math.abs(best.start - nearStart)) best = found;
  }
  return best;
}

/** Finds every place of a retyped quote, by the same rules. For many quotes of one text: the text is prepared once. */
export function quoteFinder(text: string): (quote: string) => Quote[] {
  const page = canonical(text);
  return (quote) => {
    const wanted = canonical(quote.trim()).chars;
    const places: Quote[] = [];
    if (wanted === '') return places;
    for (let at = page.chars.indexOf(wanted); at >= 0; at = page.chars.indexOf(wanted, at + 1)) {
      const found = placeOf(text, page, at, wanted.length);
      if (found !== null) places.push(found);
    }
    return places;
  };
}

type Canonical = { readonly chars: string; readonly starts: readonly number[]; readonly ends: readonly number[] };

const SAME_MARK: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '“': '"',
    '”': '"',
    '„': '"',
    '‟': '"',
    '＂': '"',
    '«': '"',
    '»': '"',
    '「': '"',
    '」': '"',
    '『': '"',
    '』': '"',
    '‘': "'",
    '’': "'",
    '‚': "'",
    '‛': "'",
    '＇': "'",
    '`': "'",
    '′': "'",
    '‐': '-',
    '‑': '-',
    '‒': '-',
    '–': '-',
    '—': '-',
    '−': '-',
    '－': '-',
    '，': ',',
    '。': '.',
    '．': '.',
    '：': ':',
    '；': ';',
    '！': '!',
    '？': '?',
    '（': '(',
    '）': ')',
    '［': '[',
    '］': ']',
    '【': '[',
    '】': ']',
    '％': '%',
    '＋': '+',
    '＝': '=',
    '／': '/',
    '＆': '&',
    '～': '~',
    '…': '...',
  }),
);
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/;
const WIDE_MARK = /[\u3001-\u3011\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/;

function canonical(text: string): Canonical {
  let chars = '';
  const starts: number[] = [];
  const ends: number[] = [];
  const push = (value: string, start: number, end: number): void => {
    for (const unit of value.split('')) {
      chars += unit;
      starts.push(start);
      ends.push(end);
    }
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (INVISIBLE.test(char)) continue;
    if (!/\s/.test(char)) push(SAME_MARK.get(char) ?? char, at, at + 1);
    else {
      const end = whiteSpaceEnd(text, at);
      if (!isIdleSpace(text, at, end)) push(' ', at, end);
      at = end - 1;
    }
  }
  return { chars, starts, ends };
}

function whiteSpaceEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && (/\s/.test(text[at] ?? '') || INVISIBLE.test(text[at] ?? ''))) at += 1;
  return at;
}

/** White space beside a CJK character or a full-width mark separates nothing; so does one after a narrow mark that follows a CJK character. */
function isIdleSpace(text: string, start: number, end: number): boolean {
  const before = text[start - 1] ?? '';
  const after = text[end] ?? '';
  if (isWide(before) || isWide(after)) return true;
  return /[,.:;!?)\]]/.test(before) && isWide(text[start - 2] ?? '');
}

function isWide(char: string): boolean {
  return char !== '' && (isCjk(char) || WIDE_MARK.test(char));
}

function placeOf(text: string, page: Canonical, at: number, length: number): Quote | null {
  const start = page.starts[at];
  const end = page.ends[at + length - 1];
  if (start === undefined || end === undefined) return null;
  // Half of an expanded mark ("…" is three dots) is not a place in the text.
  if (page.starts[at - 1] === start || page.ends[at + length] === end) return null;
  if (cutsWord(text, start) || cutsWord(text, end)) return null;
  return { quote: text.slice(start, end), start, end };
}

/** True when `at` lies inside a Latin word or a number such as 1,250.5 (or just behind its minus sign). */
function cutsWord(text: string, at: number): boolean {
  const before = text[at - 1] ?? '';
  const after = text[at] ?? '';
  if (isWordUnit(before) && isWordUnit(after)) return true;
  const afterIsDigit = /\d/.test(after);
  if (/[.,]/.test(before) && afterIsDigit && /\d/.test(text[at - 2] ?? '')) return true;
  if (/\d/.test(before) && /[.,]/.test(after) && /\d/.test(text[at + 1] ?? '')) return true;
  return /[-−]/.test(before) && afterIsDigit && !/[\p{L}\p{N}]/u.test(text[at - 2] ?? '');
}

function isWordUnit(char: string): boolean {
  return /[\p{L}\p{N}\p{M}]/u.test(char) && !isCjk(char);
}
