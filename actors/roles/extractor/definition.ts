import type { Proposal } from '#contracts/actors/role.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import { extractiveVersions, type RoleDefinition } from '../role-definition.ts';
import { toProposal } from './proposal.ts';
import { rankUnits } from './ranking.ts';
import { selectAnswerUnits } from './selection.ts';
import { unitsOf } from './units.ts';

/** Most quotes proposed for one question, by the form of the answer. */
const MAX_UNITS = { short_answer: 6, report: 12 } as const;

/** Proposes located quotes from pages that were read. It cannot go online. */
export const extractor: RoleDefinition<'extractor'> = {
  role: 'extractor',
  versions: extractiveVersions('extractor', 1),
  tools: [],
  materials: (task) => ({ sourceRevisionIds: task.source_revision_ids, evidenceOfTask: false }),
  propose: (task, materials) => {
    const sources = new Map<string, SourceRevision>(
      materials.sources.map((source) => [source.source_revision_id, source]),
    );
    const units = materials.sources.flatMap((source) => unitsOf(source, source.source_revision_id));
    const chosen = selectAnswerUnits(rankUnits(task.question, units, { sources: task.source_revision_ids }), {
      form: task.form,
      maxUnits: MAX_UNITS[task.form],
      question: task.question,
      units,
    });
    const proposals: Proposal[] = [];
    for (const ranked of chosen) {
      const source = sources.get(ranked.unit.source);
      if (source !== undefined) proposals.push(toProposal(ranked, source));
    }
    return { role: 'extractor', proposals };
  },
};
