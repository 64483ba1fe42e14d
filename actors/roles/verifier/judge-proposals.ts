import type { Proposal } from '#contracts/actors/role.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import { verifyQuote } from '#contracts/text/quote.ts';
import { foldText } from '#contracts/text/segment.ts';
import { disagreement } from '../role-claim.ts';

/** Below this a quote proves nothing by itself: a word can be found anywhere. Table rows are judged with their header. */
const MIN_QUOTE_CHARS = 8;
const MAX_QUOTE_CHARS = 4000;

export type JudgedProposals = {
  readonly accepted: Proposal[];
  readonly rejected: { quote: string; reason: string }[];
};

/** The checks that every proposal passes or not, whoever made it. In order: of two that use the same span the first counts. */
export function judgeProposals(proposals: readonly Proposal[], pages: readonly SourceRevision[]): JudgedProposals {
  const sources = new Map(pages.map((source) => [source.source_revision_id, source]));
  const accepted: Proposal[] = [];
  const rejected: { quote: string; reason: string }[] = [];
  for (const proposal of proposals) {
    const reason = rejectionOf(proposal, sources.get(proposal.source_revision_id), accepted);
    if (reason === null) accepted.push(proposal);
    else rejected.push({ quote: proposal.quote.slice(0, 200), reason });
  }
  return { accepted, rejected };
}

function rejectionOf(
  proposal: Proposal,
  source: SourceRevision | undefined,
  accepted: readonly Proposal[],
): string | null {
  if (source === undefined) return 'the source revision does not exist';
  if (!verifyQuote(source.text, proposal)) return 'the quote does not stand verbatim at its offsets';
  if (proposal.quote.length > MAX_QUOTE_CHARS) return `longer than ${MAX_QUOTE_CHARS} characters`;
  const isRow = proposal.anchor.table !== undefined;
  if (!isRow && proposal.quote.trim().length < MIN_QUOTE_CHARS) return 'too short to prove anything';
  const reason = claimProblem(proposal, source);
  if (reason !== null) return reason;
  const reused = accepted.some(
    (other) =>
      other.source_revision_id === proposal.source_revision_id &&
      other.start < proposal.end &&
      proposal.start < other.end,
  );
  return reused ? 'overlaps a quote that was already accepted' : null;
}

/** A table row proves together with the header it is read under. */
function claimProblem({ claim, quote, anchor }: Proposal, { title }: SourceRevision): string | null {
  const header = anchor.table?.header ?? '';
  if (anchor.table !== undefined && spells(claim, `${quote}\t${header}`)) return null;
  return disagreement(claim, { quotes: [`${quote}\n${header}`], around: [title, ...anchor.heading_path] });
}

/** The claim has no word that the row does not have. */
function spells(claim: string, row: string): boolean {
  const words = new Set(wordsOf(row));
  return wordsOf(claim).every((word) => words.has(word));
}

const wordsOf = (text: string): string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
