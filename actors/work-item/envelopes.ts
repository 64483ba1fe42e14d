import type * as z from 'zod';
import type { ReadSummary } from '#contracts/actors/browser-context.ts';
import type { RoleOutput } from '#contracts/actors/role.ts';
import type { WorkEnvelope } from '#contracts/actors/work-item.ts';
import { failure, type Failure, type FailureCode } from '#contracts/errors.ts';
import type { WorkItemState } from './contract.ts';
import { assertionsOf } from './verified.ts';

const NO_CONTENT = new Set<FailureCode>(['search.response_invalid', 'page.empty', 'page.unreadable', 'page.too_large']);
const BLOCKED = new Set<FailureCode>([
  'page.blocked',
  'browser.egress_refused',
  'library.not_approved',
  'search.unavailable',
]);

/** PL-04: what kind of ending a failure is. */
export function envelopeOfFailure(reason: Failure): WorkEnvelope {
  if (NO_CONTENT.has(reason.code)) return { outcome: 'no_content', reason: reason.message };
  if (BLOCKED.has(reason.code)) return { outcome: 'blocked', reason: reason.message };
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
    case 'verifier': {
      const { assertions, sourceRevisionIds } = assertionsOf(state, output);
      return {
        outcome: 'succeeded',
        result: {
          kind: 'verify',
          question_index: state.payload.kind === 'verify' ? state.payload.question_index : 0,
          assertion_ids: assertions.map((assertion) => assertion.assertion_id),
          source_revision_ids: [...sourceRevisionIds],
          rejected: output.rejected.slice(0, 20),
          conflicts: output.conflicts,
        },
      };
    }
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
    case 'analyst':
      return unusable(`a ${output.role} answered, which this item did not ask`);
  }
}

function unusable(what: string): WorkEnvelope {
  return { outcome: 'failed', failure: failure('effect.failed', what) };
}
