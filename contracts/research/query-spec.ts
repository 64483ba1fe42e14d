import * as z from 'zod';
import { canonicalJson } from '../canonical-json.ts';
import { foldText, queryTerms, TEXT_RULES_VERSION } from '../text/segment.ts';

/** Identities made under other rules are not comparable. */
export const QUERY_RULES_VERSION = `query/1 ${TEXT_RULES_VERSION}`;

/** What the words are asked about. The same words about something else are another query. */
export const QueryScope = z.object({
  object: z.string().nullable(),
  time: z.string().nullable(),
  region: z.string().nullable(),
  language: z.string().nullable(),
  purpose: z.string().nullable(),
  allowed_domains: z.array(z.string()),
});
export type QueryScope = z.infer<typeof QueryScope>;

export const QuerySpec = z.object({
  words: z.string().min(1),
  scope: QueryScope,
  /** Where the words come from: the question, a checked alias, a gap. */
  origin: z.string(),
});
export type QuerySpec = z.infer<typeof QuerySpec>;

export const WHOLE_WEB: QueryScope = {
  object: null,
  time: null,
  region: null,
  language: null,
  purpose: null,
  allowed_domains: [],
};

// "Without sugar" is not "with sugar", although both are said with words that searching leaves out.
const NEGATION = /\b(?:not|no|without|never|neither|nor|except|\p{L}+n['’]t)\b|[不没沒无無非未勿]/giu;
// Between these the order of the rest carries meaning.
const DIRECTION = /\bfrom\b.+\bto\b|\bto\b.+\bfrom\b|从.+[到至往]|->|→/iu;

/** SE-09: two queries are the same when their terms, their scope and the rules agree; the order of words seldom matters. */
export function queryIdentity({ words, scope }: QuerySpec): string {
  const terms = [...queryTerms(words), ...negationsIn(words)];
  return canonicalJson({
    rules: QUERY_RULES_VERSION,
    terms: DIRECTION.test(words) ? terms : [...new Set(terms)].sort(),
    scope: {
      object: folded(scope.object),
      time: folded(scope.time),
      region: folded(scope.region),
      language: folded(scope.language),
      purpose: folded(scope.purpose),
      allowed_domains: [...new Set(scope.allowed_domains.map(foldText))].sort(),
    },
  });
}

function negationsIn(words: string): string[] {
  return [...words.matchAll(NEGATION)].map(([word]) => (/^[a-z]/iu.test(word) ? '!not' : `!${word}`));
}

function folded(text: string | null): string | null {
  const known = foldText(text ?? '')
    .replace(/\s+/gu, ' ')
    .trim();
  return known === '' ? null : known;
}

export type Identified = { readonly spec: QuerySpec; readonly identity: string };
export type Suppressed = Identified & { readonly same_as: string };

/** Each query once, in order. `asked` are identities of earlier searches; what is left out names the words it repeats. */
export function withoutRepeated(
  specs: readonly QuerySpec[],
  asked: ReadonlyMap<string, string> = new Map(),
): { readonly fresh: Identified[]; readonly suppressed: Suppressed[] } {
  const known = new Map(asked);
  const fresh: Identified[] = [];
  const suppressed: Suppressed[] = [];
  for (const spec of specs) {
    const identity = queryIdentity(spec);
    const same_as = known.get(identity);
    if (same_as === undefined) fresh.push({ spec, identity });
    else suppressed.push({ spec, identity, same_as });
    known.set(identity, same_as ?? spec.words);
  }
  return { fresh, suppressed };
}
