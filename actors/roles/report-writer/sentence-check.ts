import type { Language } from '#contracts/ids.ts';
import type { Assertion, Evidence } from '#contracts/research/evidence.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import { detectLanguage } from '#contracts/text/language.ts';
import { disagreement } from '../role-claim.ts';
import type { Materials } from '../role-definition.ts';

const MAX_SENTENCE_CHARS = 1200;
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"'，。；、）)】」]+/giu;
const DOMAIN =
  /(?<![\p{L}\p{N}@./-])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|cn|gov|edu|info|dev|app|ai|de|uk|eu)(?![\p{L}\p{N}])(?:\/[^\s，。；、）)]*)?/giu;

/** Marks and keys that a model likes to add; the numbers of citations are given later. */
export function withoutMarks(text: string): string {
  return text
    .replace(/\s*[[(（【](?:(?:\d+|[AQ]\d+)(?:\s*[,，、;]\s*)?)+[\])）】]/gu, (mark) =>
      /[AQ]|[[【]/u.test(mark) ? '' : mark,
    )
    .replace(/\s+/gu, ' ')
    .trim();
}

export type SentenceCheck = {
  readonly materials: Materials;
  readonly language: Language;
};

/** Why a sentence may not stand in the report, in words; null when its assertions carry it. */
export function sentenceProblem(
  text: string,
  assertions: readonly Assertion[],
  { materials, language }: SentenceCheck,
): string | null {
  if (text === '') return 'empty';
  if (assertions.length === 0) return 'it names no assertion that was given';
  if (text.length > MAX_SENTENCE_CHARS) return `longer than ${MAX_SENTENCE_CHARS} characters`;
  const { quotes, around, sources } = supportOf(assertions, materials);
  const address = strangeAddress(text, sources, [...quotes, ...around].join('\n'));
  if (address !== null) return `the address ${address} is not among the sources`;
  if (isForeign(text, language)) return `not in the language of the answer (${language})`;
  return disagreement(text, { quotes, around });
}

export function isForeign(text: string, language: Language): boolean {
  const found = detectLanguage(text);
  if (found === 'und') return language === 'zh-CN' && !/\p{Script=Han}/u.test(text);
  return found.split('-')[0] !== language.split('-')[0];
}

function supportOf(assertions: readonly Assertion[], materials: Materials) {
  const ids = new Set(assertions.flatMap(({ evidence_ids }) => evidence_ids));
  const evidence: Evidence[] = materials.evidence.filter(({ evidence_id }) => ids.has(evidence_id));
  const used = new Set(evidence.map(({ source_revision_id }) => source_revision_id));
  const sources = materials.sources.filter(({ source_revision_id }) => used.has(source_revision_id));
  return {
    quotes: evidence.map(({ quote, anchor }) => `${quote}\n${anchor.table?.header ?? ''}`),
    around: [
      ...evidence.flatMap(({ anchor }) => anchor.heading_path),
      ...sources.map(({ title }) => title),
      // What the verifier let through may be named, and brings no figure with it.
      ...assertions.map((assertion) => assertion.text),
    ],
    sources: materials.sources,
  };
}

/** An address is the catalogue's, or the quote itself spells it. */
function strangeAddress(text: string, sources: readonly SourceRevision[], shown: string): string | null {
  const known = new Set(sources.flatMap(({ final_url, requested_url }) => [final_url, requested_url].map(plain)));
  for (const [address] of text.matchAll(ADDRESS)) {
    if (!known.has(plain(address)) && !shown.includes(address.replace(/[.,;:!?]+$/u, ''))) return address;
  }
  const rest = text.replace(ADDRESS, ' ');
  const names = [...known].join('\n').toLowerCase();
  for (const [domain] of rest.matchAll(DOMAIN)) {
    const name = domain.toLowerCase();
    if (!names.includes(name) && !shown.toLowerCase().includes(name)) return domain;
  }
  return null;
}

const plain = (url: string): string => url.replace(/[.,;:!?]+$/u, '').replace(/\/$/u, '');
