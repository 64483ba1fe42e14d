import type { RoleOutput } from '#contracts/actors/role.ts';
import { write, type Request } from '#runtime/core/requests.ts';
import type { Comparison, WorkItemState } from './contract.ts';
import { report, type Progress } from './rules.ts';
import { assertionsOf } from './verified.ts';

/** Rows that become true with a role's accepted answer, in the commit that accepts it, under the task's fence. */
export function recordAnswer(state: WorkItemState, output: RoleOutput): Request[] {
  if (output.role === 'report_writer' && state.payload.kind === 'write') {
    return [write('answer', { id: state.task_id, answer: output.answer })];
  }
  return [];
}

export function recordVerified(state: WorkItemState, comparison: Comparison): Request[] {
  if (state.verified?.role !== 'verifier') return [];
  const { evidence, assertions, sourceRevisionIds } = assertionsOf(state, state.verified, comparison);
  const task_id = state.task_id;
  const accepted: Progress[] = evidence.map((item) => ({
    event_type: 'evidence.accepted',
    data: {
      evidence_id: item.evidence_id,
      source_revision_id: item.source_revision_id,
      quote: item.quote.slice(0, 200),
    },
  }));
  const verified: Progress[] = assertions.map((item) => ({
    event_type: 'assertion.verified',
    data: { assertion_id: item.assertion_id, status: item.status, evidence_ids: item.evidence_ids },
  }));
  const conflicts: Progress[] = [...new Set(assertions.map((item) => item.conflict_group))]
    .filter((group) => group !== null)
    .map((group) => ({
      event_type: 'conflict.found',
      data: {
        assertion_ids: assertions.filter((item) => item.conflict_group === group).map((item) => item.assertion_id),
      },
    }));
  return [
    ...sourceRevisionIds.map((source_revision_id) => write('task_source', { task_id, source_revision_id })),
    ...evidence.map((item) =>
      write('evidence', { id: item.evidence_id, task_id, source_revision_id: item.source_revision_id, evidence: item }),
    ),
    ...assertions.map((item) => write('assertion', { id: item.assertion_id, task_id, revision: 1, assertion: item })),
    ...report(state, [...accepted, ...verified, ...conflicts]),
  ];
}
