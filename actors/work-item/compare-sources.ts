import type { Proposal } from '#contracts/actors/role.ts';
import { familiesOf, type SourceTrace } from '#contracts/research/source-family.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import type { Comparison } from './contract.ts';
import { figuresIn, findMasked, hasEnoughWords, maskFigures, nearDuplicates, type Masked } from './near-duplicates.ts';

const ANCHOR_CHARS = 32;
const COUNTERS_PER_QUOTE = 3;

type IsNear = (a: string, b: string) => boolean;

/**
 * Holds accepted quotes against everything else that was read. A sibling page that says the same with other figures makes the
 * quote a conflict, also when nobody quoted the sibling; and it is no second voice.
 */
export function compareSources(accepted: readonly Proposal[], sources: readonly SourceRevision[]): Comparison {
  const isNear = nearDuplicates(sources);
  const pages = new Map<string, Masked>();
  const masked = (source: SourceRevision): Masked => {
    const known = pages.get(source.source_revision_id) ?? maskFigures(source.text);
    pages.set(source.source_revision_id, known);
    return known;
  };
  const contradictions = accepted.flatMap((proposal, index) => {
    const others = sources.filter((source) => isNear(proposal.source_revision_id, source.source_revision_id));
    const proposals = others.flatMap((source) => countersIn(proposal, source, masked(source)));
    return proposals.length === 0 ? [] : [{ index, proposals: proposals.slice(0, COUNTERS_PER_QUOTE) }];
  });
  return { families: familiesOfCited(accepted, contradictions, sources, isNear), contradictions };
}

function countersIn(proposal: Proposal, source: SourceRevision, page: Masked): Proposal[] {
  const figures = figuresIn(proposal.quote);
  if (figures === '' || !hasEnoughWords(proposal.quote)) return [];
  const places = findMasked(page, maskFigures(proposal.quote).text, COUNTERS_PER_QUOTE);
  // A page that also has the very figure does not contradict it.
  const quotes = places.map(({ start, end }) => ({ start, end, quote: source.text.slice(start, end) }));
  if (quotes.some(({ quote }) => figuresIn(quote) === figures)) return [];
  return quotes.slice(0, 1).map(({ start, end, quote }) => ({
    ...proposal,
    source_revision_id: source.source_revision_id,
    start,
    end,
    quote,
    claim: quote,
    anchor: {
      before: source.text.slice(Math.max(0, start - ANCHOR_CHARS), start),
      after: source.text.slice(end, end + ANCHOR_CHARS),
      heading_path: proposal.anchor.heading_path,
    },
    why: 'the same words with other figures',
  }));
}

function familiesOfCited(
  accepted: readonly Proposal[],
  contradictions: Comparison['contradictions'],
  sources: readonly SourceRevision[],
  isNear: IsNear,
): Comparison['families'] {
  const quoted = [...accepted, ...contradictions.flatMap(({ proposals }) => proposals)];
  const ids = new Set(quoted.map(({ source_revision_id }) => source_revision_id));
  const cited = sources.filter(({ source_revision_id }) => ids.has(source_revision_id));
  const traces = cited.map((source, index): SourceTrace => {
    const twin = cited.slice(0, index).find((earlier) => isNear(earlier.source_revision_id, source.source_revision_id));
    return {
      source_id: source.source_revision_id,
      url: source.final_url,
      author: source.fields.author ?? null,
      content_hash: source.content_hash,
      ...(twin === undefined ? {} : { reprinted_from: twin.final_url }),
    };
  });
  return familiesOf(traces).flatMap(({ members }, family) =>
    members.map((source_revision_id) => ({ source_revision_id, family })),
  );
}
