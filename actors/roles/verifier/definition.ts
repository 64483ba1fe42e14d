import { extractiveVersions, type RoleDefinition } from '../role-definition.ts';
import { groupConflicts } from './conflicts.ts';
import { judgeProposals } from './judge-proposals.ts';

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
    const { accepted, rejected } = judgeProposals(task.proposals, materials.sources);
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
