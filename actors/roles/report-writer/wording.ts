import type { Language } from '#contracts/ids.ts';
import type { Citation } from '#contracts/research/answer.ts';
import { phrases } from './phrases.ts';

/** The claim in its own words; a claim in another language than the answer is introduced by who wrote it. */
export function wordSentence(claim: string, source: Citation['source'] | undefined, language: Language): string {
  const text = claim.replace(/\s+/gu, ' ').trim();
  if (source === undefined || source.language === 'und' || sameLanguage(source.language, language)) return text;
  return phrases(language).quoted(source.title, source.language, text);
}

function sameLanguage(a: string, b: string): boolean {
  return a.split('-')[0] === b.split('-')[0];
}
