import type { Proposal, RoleOutput } from '#contracts/actors/role.ts';
import type { Assertion, Evidence } from '#contracts/research/evidence.ts';
import { suffixOf } from '#contracts/ids.ts';
import type { Comparison, WorkItemState } from './contract.ts';

type VerifierOutput = Extract<RoleOutput, { role: 'verifier' }>;
type Weighed = {
  readonly proposal: Proposal;
  readonly status: 'verified' | 'conflicting';
  readonly group: number | null;
};

export type Verified = {
  readonly evidence: readonly Evidence[];
  readonly assertions: readonly Assertion[];
  readonly sourceRevisionIds: readonly string[];
};

/** Accepted proposals as evidence and assertions, with ids that a repeated step makes again. */
export function assertionsOf(state: WorkItemState, output: VerifierOutput, comparison: Comparison): Verified {
  const base = suffixOf(state.work_item_id);
  const question = state.payload.kind === 'verify' ? state.payload.question : '';
  const weighed = weigh(output.accepted, comparison);
  const evidence: Evidence[] = weighed.map(({ proposal }, index) => ({
    evidence_id: `evd_${base}-${index + 1}`,
    task_id: state.task_id,
    source_revision_id: proposal.source_revision_id,
    start: proposal.start,
    end: proposal.end,
    quote: proposal.quote,
    anchor: proposal.anchor,
    stance: 'supports',
  }));
  const assertions: Assertion[] = weighed.map(({ proposal, status, group }, index) => ({
    assertion_id: `asr_${base}-${index + 1}`,
    task_id: state.task_id,
    revision: 1,
    text: proposal.claim.slice(0, 4000),
    kind: 'factual',
    evidence_ids: [`evd_${base}-${index + 1}`],
    status,
    answers: question,
    position: index,
    conflict_group: group,
  }));
  return { evidence, assertions, sourceRevisionIds: [...new Set(evidence.map((item) => item.source_revision_id))] };
}

/** A quote that another page contradicts is no fact any more; both are shown, in one group (EV-02). */
function weigh(accepted: VerifierOutput['accepted'], { contradictions }: Comparison): readonly Weighed[] {
  const weighed: Weighed[] = [...accepted];
  let next = Math.max(-1, ...accepted.map(({ group }) => group ?? -1)) + 1;
  for (const { index, proposals } of contradictions) {
    const one = weighed[index];
    if (one === undefined) continue;
    const group = one.group ?? next++;
    weighed[index] = { ...one, status: 'conflicting', group };
    for (const proposal of proposals) {
      const known = weighed.findIndex((other) => overlaps(other.proposal, proposal));
      const counter = { proposal: weighed[known]?.proposal ?? proposal, status: 'conflicting' as const, group };
      if (known < 0) weighed.push(counter);
      else if (weighed[known]?.group === null) weighed[known] = counter;
    }
  }
  return weighed;
}

const overlaps = (a: Proposal, b: Proposal): boolean =>
  a.source_revision_id === b.source_revision_id && a.start < b.end && b.start < a.end;
