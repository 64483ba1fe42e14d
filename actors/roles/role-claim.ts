import { detectLanguage } from '#contracts/text/language.ts';
import { foldText, queryTerms, terms } from '#contracts/text/segment.ts';
import { isContained, numbersOf } from './role-numbers.ts';

/** What a claim may lean on: the quotes prove; what stands around them (headings, title) may only name what they speak of. */
export type Support = { readonly quotes: readonly string[]; readonly around: readonly string[] };

/** Fewer words than this say nothing beyond themselves. */
const MIN_WORDS = 3;
const MIN_CJK = 6;
/** Share of a claim's own words that its quotes and what stands around them must hold, when both are in one language. */
const MIN_SHARED = 1 / 3;
/** A figure that agrees says more than words, which may be others of the same meaning. */
const MIN_SHARED_WITH_FIGURE = 1 / 5;
/** A quote of which a claim repeats this much is restated by it; a negation left out then turns it round. */
const RESTATED = 0.7;

/**
 * Why the quotes do not carry a claim, in words; null when nothing speaks against it. That every word of it is true nobody can tell
 * by rule; that it adds a figure, a name or a "not" can be told, in any pair of languages.
 */
export function disagreement(claim: string, { quotes, around }: Support): string | null {
  const said = plain(claim);
  if (quotes.some((quote) => plain(quote).includes(said))) return null;
  const shown = quotes.join('\n');
  if (!isLongEnough(shown)) return 'too few words are quoted to prove more than themselves';
  const number = numbersOf(claim).find((one) => !isContained(one, shown));
  if (number !== undefined) return `the claim contains ${number.text}, the quote does not`;
  const everything = [shown, ...around].join('\n');
  const name = strangeName(claim, everything);
  if (name !== null) return `the claim names ${name}, the quote does not`;
  return polarity(claim, shown) ?? strayed(claim, shown, everything);
}

const plain = (text: string): string => foldText(text).replace(/\s+/gu, ' ').trim();

function isLongEnough(text: string): boolean {
  const cjk = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const words = text.match(/[\p{Script=Latin}\p{N}][\p{L}\p{N}.'’-]*/gu)?.length ?? 0;
  return cjk >= MIN_CJK || words >= MIN_WORDS;
}

const NAME = /(?<![\p{L}\p{N}])\p{Lu}[\p{Script=Latin}\p{N}.'’&-]*/gu;
const SENTENCE_START = /(?:^|[.!?。！？:：;；]["'”’)]?\s*|\n\s*|^["'“‘(]\s*)$/u;
/** "J. Muster" is one name. */
const INITIAL = /(?<![\p{L}\p{N}])\p{Lu}\.\s*$/u;
/** Written with a capital for other reasons than being a name. */
const COMMON = new Set(
  'i the a an it its he she they we you this that these those in on at by for from with as and or but if when while'.split(
    ' ',
  ),
);

/** A proper name or a code of the claim that stands nowhere; a capital that only begins a sentence makes no name. */
function strangeName(claim: string, everything: string): string | null {
  const known = foldText(everything);
  const words = new Set(known.match(/[\p{L}\p{N}]+/gu) ?? []);
  for (const match of claim.matchAll(NAME)) {
    const name = match[0].replace(/[.'’&-]+$/u, '').replace(/['’]s$/u, '');
    const folded = foldText(name);
    if (COMMON.has(folded) || standsIn(folded, known)) continue;
    const before = claim.slice(0, match.index);
    const startsSentence = SENTENCE_START.test(before) && !INITIAL.test(before);
    const isWritten = /\p{Lu}.*\p{Lu}|\p{N}/u.test(name) || beginsName(claim.slice(match.index + match[0].length));
    if (startsSentence && !isWritten) continue;
    // A plural or a genitive is the same name.
    if (words.has(folded.replace(/s$/u, '')) || words.has(`${folded}s`)) continue;
    return name;
  }
  return null;
}

/** As a word or words of its own, not as a part of one. */
function standsIn(name: string, text: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!LATIN.test(text[at - 1] ?? '') && !LATIN.test(text[at + name.length] ?? '')) return true;
  }
  return false;
}

const LATIN = /[\p{Script=Latin}\p{N}]/u;

/** The next word is a name too: "Birch Tower …". */
const beginsName = (rest: string): boolean => /^\s+\p{Lu}[\p{Ll}\p{N}]/u.test(rest);

const NEGATION_EN = /\b(?:not|no|never|none|neither|nor|cannot|without|nobody|nothing)\b|n['’]t\b/iu;
const NO_NEGATION_ZH =
  /不同|不仅|不但|不过|不断|不少|不论|不管|差不多|无论|无线|非常|并非常|未来|未必|没准|否则|是否|能否/gu;
const NEGATION_ZH = /[不没無无未非否勿别]/u;

const negates = (text: string): boolean => NEGATION_EN.test(text) || NEGATION_ZH.test(text.replace(NO_NEGATION_ZH, ''));

function polarity(claim: string, shown: string): string | null {
  const [inClaim, inQuote] = [negates(claim), negates(shown)];
  if (inClaim && !inQuote) return 'the claim denies something, the quote denies nothing';
  const isRestated = shareOf(queryTerms(shown), terms(claim)) >= RESTATED;
  return inQuote && !inClaim && isRestated ? 'the quote denies something, the claim leaves that out' : null;
}

function strayed(claim: string, shown: string, everything: string): string | null {
  const [said, quoted] = [detectLanguage(claim), detectLanguage(shown)];
  if (said === 'und' || said !== quoted) return null;
  const wanted = numbersOf(claim).length > 0 ? MIN_SHARED_WITH_FIGURE : MIN_SHARED;
  const isNear = shareOf(queryTerms(claim), terms(everything)) >= wanted;
  return isNear ? null : 'the claim speaks of something else than the quote';
}

function shareOf(wanted: readonly string[], present: readonly string[]): number {
  const there = new Set(present);
  return wanted.length === 0 ? 1 : wanted.filter((term) => there.has(term)).length / wanted.length;
}
