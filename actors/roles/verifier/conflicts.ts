import type { Proposal } from '#contracts/actors/role.ts';

/**
 * Finds quotes from different pages that say the same words with other figures. Such quotes contradict one another:
 * they are kept together as a group and shown as a conflict, never averaged and never decided by majority.
 * Returns, per quote, the number of its group or `null`.
 */
export function groupConflicts(quotes: readonly Proposal[]): (number | null)[] {
  const byWording = new Map<string, number[]>();
  quotes.forEach((quote, index) => {
    const wording = wordingWithoutFigures(quote.quote);
    if (wording === null) return;
    byWording.set(wording, [...(byWording.get(wording) ?? []), index]);
  });
  const groups: (number | null)[] = quotes.map(() => null);
  let next = 0;
  for (const members of byWording.values()) {
    const figures = new Set(members.map((index) => figuresOf(quotes[index]?.quote ?? '')));
    const sources = new Set(members.map((index) => quotes[index]?.source_revision_id));
    if (figures.size < 2 || sources.size < 2) continue;
    for (const index of members) groups[index] = next;
    next += 1;
  }
  return groups;
}

/** `null` when there is no figure, or too little wording to say that two sentences are about the same thing. */
function wordingWithoutFigures(quote: string): string | null {
  if (!/\d/u.test(quote)) return null;
  const wording = quote
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\d+(?:[.,]\d+)*/gu, '#')
    .replace(/[^\p{L}#]+/gu, ' ')
    .trim();
  const letters = wording.replace(/[^\p{L}]/gu, '');
  return letters.length < 12 ? null : wording;
}

function figuresOf(quote: string): string {
  return (quote.normalize('NFKC').match(/\d+(?:[.,]\d+)*/gu) ?? []).join(' ');
}
