import type { RoleOutput } from '#contracts/actors/role.ts';
import type { Assertion, Evidence } from '#contracts/research/evidence.ts';
import { suffixOf } from '#contracts/ids.ts';
import type { WorkItemState } from './contract.ts';

type VerifierOutput = Extract<RoleOutput, { role: 'verifier' }>;

export type Verified = {
  readonly evidence: readonly Evidence[];
  readonly assertions: readonly Assertion[];
  readonly sourceRevisionIds: readonly string[];
};

/** Accepted proposals as evidence and assertions, with ids that a repeated step makes again. */
export function assertionsOf(state: WorkItemState, output: VerifierOutput): Verified {
  const base = suffixOf(state.work_item_id);
  const question = state.payload.kind === 'verify' ? state.payload.question : '';
  const evidence: Evidence[] = output.accepted.map(({ proposal }, index) => ({
    evidence_id: `evd_${base}-${index + 1}`,
    task_id: state.task_id,
    source_revision_id: proposal.source_revision_id,
    start: proposal.start,
    end: proposal.end,
    quote: proposal.quote,
    anchor: proposal.anchor,
    stance: 'supports',
  }));
  const assertions: Assertion[] = output.accepted.map(({ proposal, status, group }, index) => ({
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
