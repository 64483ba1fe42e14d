import { stemEnglish } from './english-stems.ts';
import { isStopWord } from './stop-words.ts';

/** Version of the rules below; an index built with another version is rebuilt. */
export const TEXT_RULES_VERSION = 'text/1';

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー々';
const CJK_RUN = new RegExp(`[${CJK}]+`, 'u');
// Plain words come first: they are most of a page, and cheap to tell.
const RUNS = new RegExp(
  `[a-zA-Z]+(?![\\p{L}\\p{N}\\p{M}'’])|\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)+|[${CJK}]+|` +
    `[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}]|['’](?=\\p{L}))*`,
  'gu',
);
const FOLDED: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', æ: 'ae', œ: 'oe', đ: 'd', ð: 'd', þ: 'th' };
const FOLDED_CHARS = /[ßøłæœđðþ]/g;
const CAMEL_PARTS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\d+/gu;
/** "Name the player who …", "please list all …": the verb asks, it is not asked about. */
const REQUEST_OPENING = /^\s*(?:please\s+)?(?:name|list|tell|show|give|explain|find|describe)\s+(?:me\s+|us\s+)?/i;
const words = new Intl.Segmenter('zh', { granularity: 'word' });

/** NFKC, lower case, Latin diacritics folded. For comparing, never for quoting. */
export function foldText(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase();
  // Plain ASCII needs none of the rest, and most words are plain ASCII.
  if (!/[^ -~\s]/.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(FOLDED_CHARS, (char) => FOLDED[char] ?? char);
}

/** True when the run is written in a script that puts no spaces between words. */
export function isCjk(text: string): boolean {
  return CJK_RUN.test(text);
}

/**
 * Index terms of a text, in order, with repetitions. English is stemmed, digit groups are joined, ordinals are numbers,
 * and each pair of neighbouring CJK characters is a term, so that a word of two characters is found however it was segmented.
 */
export function terms(text: string): string[] {
  const found: string[] = [];
  for (const run of runsOf(text)) {
    if (isCjk(run)) found.push(...cjkIndexTerms(run));
    else found.push(...latinTerms(run));
  }
  return found;
}

/**
 * Terms to search for: distinct, stop words of both languages left out, CJK by whole words.
 * A question of nothing but stop words is searched by all of its terms.
 */
/** “How does it work?” asks about it, not about work. */
const WORKS = /(\bhow (?:do|does|did)\b[^?.!]{1,200}?)\s+works?\b(?=[\s?.!]*$)/giu;

export function queryTerms(text: string): string[] {
  const found = new Set<string>();
  for (const run of runsOf(text.replace(REQUEST_OPENING, '').replace(WORKS, '$1'))) {
    if (isCjk(run)) for (const term of cjkQueryTerms(run)) found.add(term);
    else if (!isStopWord(plainWord(run))) for (const term of latinTerms(run)) if (!isStopWord(term)) found.add(term);
  }
  return found.size > 0 ? [...found] : [...new Set(terms(text))];
}

function runsOf(text: string): string[] {
  return text.normalize('NFKC').match(RUNS) ?? [];
}

function plainWord(run: string): string {
  return foldText(run)
    .replace(/['’]s$/, '')
    .replace(/['’]/g, '');
}

/** The same words come again and again; the answer for a word never changes. Emptied when full. */
const remembered = new Map<string, readonly string[]>();
const MAX_REMEMBERED = 20_000;

function latinTerms(run: string): readonly string[] {
  const known = remembered.get(run);
  if (known !== undefined) return known;
  const found = splitLatin(run);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  if (run.length <= 40) remembered.set(run, found);
  return found;
}

function splitLatin(run: string): string[] {
  if (/^\d[\d,.]*$/.test(run)) return [run.replaceAll(',', '')];
  const word = plainWord(run);
  const ordinal = /^(\d+)(?:st|nd|rd|th)$/.exec(word);
  if (ordinal?.[1] !== undefined) return [ordinal[1]];
  const whole = stemEnglish(word);
  const parts = /\p{Ll}\p{Lu}/u.test(run) ? (run.match(CAMEL_PARTS) ?? []) : [];
  if (parts.length < 2) return whole === '' ? [] : [whole];
  return [whole, ...parts.map((part) => stemEnglish(foldText(part))).filter((part) => part.length > 1)];
}

function cjkWords(run: string): string[] {
  return Array.from(words.segment(run), (part) => part.segment);
}

function pairs(run: string): string[] {
  const chars = [...run];
  return chars.slice(1).map((char, i) => `${chars[i] ?? ''}${char}`);
}

function cjkIndexTerms(run: string): string[] {
  const folded = foldText(run);
  const longerOrSingle = cjkWords(folded).filter((word) => [...word].length !== 2);
  return [...pairs(folded), ...longerOrSingle];
}

/** Words of the run; two lone characters in a row are one word, because the segmenter splits names it does not know. */
function cjkQueryTerms(run: string): string[] {
  const found: string[] = [];
  const parts = cjkWords(foldText(run));
  parts.forEach((word, i) => {
    if (isStopWord(word)) return;
    const length = [...word].length;
    if (length === 2) found.push(word);
    else if (length > 2) found.push(word, ...pairs(word));
    else found.push(...joinLoneCharacter(word, [parts[i - 1], parts[i + 1]]));
  });
  return found;
}

function joinLoneCharacter(word: string, [before, after]: readonly (string | undefined)[]): string[] {
  const isLone = (part: string | undefined): part is string =>
    part !== undefined && [...part].length === 1 && !isStopWord(part);
  if (!isLone(before) && !isLone(after)) return [word];
  return [...(isLone(before) ? [`${before}${word}`] : []), ...(isLone(after) ? [`${word}${after}`] : [])];
}
