import type { Language } from '#contracts/ids.ts';
import type { Citation } from '#contracts/research/answer.ts';
import { detectLanguage } from '#contracts/text/language.ts';
import { phrases } from './phrases.ts';

/** The claim in its own words; a claim in another language than the answer is introduced by who wrote it. */
export function wordSentence(claim: string, source: Citation['source'] | undefined, language: Language): string {
  const text = claim.replace(/\s+/gu, ' ').trim();
  // A page may hold sentences in several languages: the sentence's own counts before the page's.
  const own = detectLanguage(text);
  const spoken = own === 'und' ? source?.language : own;
  if (source === undefined || spoken === undefined || spoken === 'und' || sameLanguage(spoken, language)) return text;
  return phrases(language).quoted(source.title, spoken, text);
}

function sameLanguage(a: string, b: string): boolean {
  return a.split('-')[0] === b.split('-')[0];
}
