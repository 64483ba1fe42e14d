export type Span = { readonly start: number; readonly end: number };

/** Longer sentences are cut at a clause or a space, so that one unit stays readable and fits a quote. */
export const MAX_SENTENCE_CHARS = 1200;

const ABBREVIATIONS: ReadonlySet<string> = new Set(
  (
    'mr mrs ms dr prof st sr jr vs etc e.g i.e cf al approx ca c no nos vol vols fig figs eq ch sec pp p ed eds rev gen col lt sgt capt ' +
    'gov sen rep inc ltd co corp dept est univ assn bros mt ft jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun ' +
    'u.s u.k u.n d.c a.m p.m ph.d b.a m.a r v viz resp incl excl max min tel'
  ).split(' '),
);
const CJK_END = /[。！？｡]/;
const CLOSERS = /["'”’」』）】》〉)\]]/;
const LIST_MARKER = /^[\s([（【]*(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4}|[一二三四五六七八九十]{1,3})$/;
const BREAK_BEFORE_LINE = /^\n[ \t]*(?:\n|[-*•·–]\s|\d{1,3}[.)、]\s?)/;

/** Sentences of one block with true offsets (plus `base`), trimmed of white space, in order, never overlapping. Chinese and English. */
export function splitSentences(text: string, base = 0): Span[] {
  const spans: Span[] = [];
  let start = 0;
  let at = 0;
  while (at < text.length) {
    const end = sentenceEnd(text, start, at);
    if (end === null) {
      at += 1;
      continue;
    }
    pushTrimmed(spans, text, start, end);
    start = end;
    at = end;
  }
  pushTrimmed(spans, text, start, text.length);
  return base === 0 ? spans : spans.map((span) => ({ start: span.start + base, end: span.end + base }));
}

/** Where the sentence ends when the character at `at` ends it, else null. */
function sentenceEnd(text: string, start: number, at: number): number | null {
  const char = text[at] ?? '';
  if (CJK_END.test(char)) return afterClosers(text, skipWhile(text, at, CJK_END));
  if (char === '\n') return BREAK_BEFORE_LINE.test(text.slice(at, at + 80)) ? at + 1 : null;
  if (char !== '.' && char !== '!' && char !== '?' && char !== '…') return null;
  const marks = skipWhile(text, at, /[.!?…]/);
  const end = afterClosers(text, marks);
  if (end < text.length && !/\s/.test(text[end] ?? '')) {
    // "?" and "!" before a CJK character end a sentence without a space; a full stop there is usually part of a name.
    return char !== '.' && /[\u3400-\u9fff]/.test(text[end] ?? '') ? end : null;
  }
  if (char === '.' && marks === at + 1 && !endsAtFullStop(text, start, at)) return null;
  const next = text.slice(end).trimStart()[0];
  return next === undefined || !/\p{Ll}/u.test(next) ? end : null;
}

/** A full stop after an abbreviation, an initial or a list marker ends nothing. */
function endsAtFullStop(text: string, start: number, at: number): boolean {
  if (LIST_MARKER.test(text.slice(start, at))) return false;
  const word = /[\p{L}\p{N}.]+$/u.exec(text.slice(Math.max(start, at - 24), at))?.[0] ?? '';
  if (/^\p{Lu}$/u.test(word)) return false;
  return !ABBREVIATIONS.has(word.toLowerCase());
}

function skipWhile(text: string, from: number, pattern: RegExp): number {
  let at = from;
  while (at < text.length && pattern.test(text[at] ?? '')) at += 1;
  return at;
}

/** Closing quotes and brackets, and footnote marks such as `[1]`, belong to the sentence they follow. */
function afterClosers(text: string, from: number): number {
  let at = skipWhile(text, from, CLOSERS);
  for (;;) {
    const note = /^\[[^\]\s]{1,16}\]/.exec(text.slice(at, at + 20))?.[0];
    if (note === undefined) return at;
    at += note.length;
  }
}

function pushTrimmed(spans: Span[], text: string, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && /\s/.test(text[start] ?? '')) start += 1;
  while (end > start && /\s/.test(text[end - 1] ?? '')) end -= 1;
  while (end - start > MAX_SENTENCE_CHARS) {
    const cut = start + clauseEnd(text.slice(start, start + MAX_SENTENCE_CHARS));
    pushTrimmed(spans, text, start, cut);
    start = cut;
    while (start < end && /\s/.test(text[start] ?? '')) start += 1;
  }
  if (end > start) spans.push({ start, end });
}

function clauseEnd(text: string): number {
  const half = text.length / 2;
  for (const pattern of [/[;；\n](?=[^;；\n]*$)/, /[,，、](?=[^,，、]*$)/, /\s(?=\S*$)/]) {
    const found = pattern.exec(text);
    if (found !== null && found.index > half) return found.index + 1;
  }
  // Never cut a surrogate pair.
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}
