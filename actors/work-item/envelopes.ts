import type * as z from 'zod';
import type { ReadSummary } from '#contracts/actors/browser-context.ts';
import type { RoleOutput } from '#contracts/actors/role.ts';
import type { WorkEnvelope } from '#contracts/actors/work-item.ts';
import { failure, type Failure, type FailureCode } from '#contracts/errors.ts';
import type { Comparison, WorkItemState } from './contract.ts';
import { assertionsOf } from './verified.ts';

const NO_CONTENT = new Set<FailureCode>(['search.response_invalid', 'page.empty', 'page.unreadable', 'page.too_large']);
const BLOCKED = new Set<FailureCode>([
  'page.blocked',
  'browser.egress_refused',
  'library.not_approved',
  'search.unavailable',
  'model.not_configured',
  'model.unauthenticated',
  'request.forbidden',
]);

/** A wall, a missing permission or money: trying again changes nothing until somebody acts. */
const isBlocking = ({ code }: Failure): boolean => BLOCKED.has(code) || code.startsWith('budget.');

/** PL-04: what kind of ending a failure is. */
export function envelopeOfFailure(reason: Failure): WorkEnvelope {
  if (NO_CONTENT.has(reason.code)) return { outcome: 'no_content', reason: reason.message };
  if (isBlocking(reason)) return { outcome: 'blocked', reason: reason.message, failure: reason };
  return { outcome: 'failed', failure: reason };
}

export function envelopeOfPage(page: z.infer<typeof ReadSummary>): WorkEnvelope {
  if (page.blocked !== null) return { outcome: 'blocked', reason: page.blocked };
  if (page.characters === 0) return { outcome: 'no_content', reason: 'the page has no text' };
  const { source_revision_id, final_url, title, language, page_kind, characters } = page;
  return {
    outcome: 'succeeded',
    result: { kind: 'read', source_revision_id, final_url, title, language, page_kind, characters },
  };
}

/** What a role's answer means for an item that needs nothing beyond it. */
export function envelopeOfRole(state: WorkItemState, output: RoleOutput): WorkEnvelope {
  switch (output.role) {
    case 'extractor':
      if (output.proposals.length === 0) return { outcome: 'no_content', reason: 'no passage answers the question' };
      return { outcome: 'succeeded', result: { kind: 'extract', proposals: output.proposals } };
    case 'report_writer': {
      const sentences = output.answer.sections.flatMap((section) => section.sentences);
      return {
        outcome: 'succeeded',
        result: {
          kind: 'write',
          markdown: output.answer.markdown,
          asserting_sentences: sentences.filter((sentence) => sentence.role === 'asserts').length,
          citations: output.answer.citations,
        },
      };
    }
    case 'browser_researcher':
      if (output.action.kind === 'finish') return { outcome: 'blocked', reason: output.action.reason };
      return unusable(`proposed to ${output.action.kind} what this item may not`);
    case 'requirement_compiler':
    case 'coordinator':
    case 'search_planner':
    case 'verifier':
    case 'analyst':
      return unusable(`a ${output.role} answered, which this item did not ask`);
  }
}

/** WI6: the verifier's answer after it was held against everything that was read. */
export function envelopeOfVerified(state: WorkItemState, comparison: Comparison): WorkEnvelope {
  const { verified, payload } = state;
  if (verified?.role !== 'verifier' || payload.kind !== 'verify') return unusable('nothing was verified');
  const { assertions, sourceRevisionIds } = assertionsOf(state, verified, comparison);
  const groups = assertions.flatMap(({ conflict_group }) => conflict_group ?? []);
  return {
    outcome: 'succeeded',
    result: {
      kind: 'verify',
      question_index: payload.question_index,
      assertion_ids: assertions.map((assertion) => assertion.assertion_id),
      source_revision_ids: [...sourceRevisionIds],
      rejected: verified.rejected.slice(0, 20),
      conflicts: new Set(groups).size,
      independent: new Set(comparison.families.map(({ family }) => family)).size,
    },
  };
}

function unusable(what: string): WorkEnvelope {
  return { outcome: 'failed', failure: failure('effect.failed', what) };
}
