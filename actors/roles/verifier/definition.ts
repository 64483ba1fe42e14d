import { verifyQuote } from '#contracts/text/quote.ts';
import type { Proposal } from '#contracts/actors/role.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import { extractiveVersions, type RoleDefinition } from '../role-definition.ts';
import { groupConflicts } from './conflicts.ts';

/** Below this a quote proves nothing by itself: a word can be found anywhere. Table rows are judged with their header. */
const MIN_QUOTE_CHARS = 8;
const MAX_QUOTE_CHARS = 4000;

/** Looks at every proposed quote before anything believes it. It cannot widen the scope. */
export const verifier: RoleDefinition<'verifier'> = {
  role: 'verifier',
  versions: extractiveVersions('verifier', 1),
  tools: [],
  materials: (task) => ({
    sourceRevisionIds: [...new Set(task.proposals.map((proposal) => proposal.source_revision_id))],
    evidenceOfTask: false,
  }),
  propose: (task, materials) => {
    const sources = new Map(materials.sources.map((source) => [source.source_revision_id, source]));
    const accepted: Proposal[] = [];
    const rejected: { quote: string; reason: string }[] = [];
    for (const proposal of task.proposals) {
      const reason = rejectionOf(proposal, sources.get(proposal.source_revision_id), accepted);
      if (reason === null) accepted.push(proposal);
      else rejected.push({ quote: proposal.quote.slice(0, 200), reason });
    }
    const groups = groupConflicts(accepted);
    return {
      role: 'verifier',
      accepted: accepted.map((proposal, index) => {
        const group = groups[index] ?? null;
        return { proposal, status: group === null ? 'verified' : 'conflicting', group };
      }),
      rejected,
      conflicts: new Set(groups.filter((group) => group !== null)).size,
    };
  },
};

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
  const missing = missingNumber(proposal);
  if (missing !== null) return `the claim contains ${missing}, the quote does not`;
  const reused = accepted.some(
    (other) =>
      other.source_revision_id === proposal.source_revision_id &&
      other.start < proposal.end &&
      proposal.start < other.end,
  );
  return reused ? 'overlaps a quote that was already accepted' : null;
}

/** A number in the claim must stand in the quote, or in the header it is read under. */
function missingNumber(proposal: Proposal): string | null {
  const shown = `${proposal.quote}\n${proposal.anchor.table?.header ?? ''}`;
  const numbers = proposal.claim.match(/\d+(?:[.,]\d+)*/gu) ?? [];
  return numbers.find((number) => !shown.includes(number)) ?? null;
}
