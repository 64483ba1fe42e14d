import type { Candidate, Proposal, RoleOutput } from '#contracts/actors/role.ts';
import { failure } from '#contracts/errors.ts';
import type { Answer } from '#contracts/research/answer.ts';
import type { TaskMode } from '#contracts/research/task-spec.ts';

/** One of everything that research passes on, as small as its schema allows. */
export const TIME = '2026-01-01T00:00:00.000Z';
export const HASH = 'a'.repeat(64);
export const QUESTION = 'How tall is the tower?';
export const URL_OF_PAGE = 'https://a.example/';
export const SOURCE = 'srv_source-one';

export const candidate: Candidate = { url: URL_OF_PAGE, title: 'A', snippet: '' };

export const proposal: Proposal = {
  source_revision_id: SOURCE,
  start: 0,
  end: 4,
  quote: '10 m',
  anchor: { before: '', after: '', heading_path: [] },
  claim: '10 m',
  score: 1,
  why: 'number',
};

export function answer(citations: 0 | 1): Answer {
  const source = { source_revision_id: SOURCE, url: URL_OF_PAGE, title: 'A', language: 'en', retrieved_time: TIME };
  const cited = { n: 1, evidence_id: 'evd_evidence-1', quote: '10 m', start: 0, end: 4, source };
  return {
    language: 'en',
    engine: 'extractive',
    question: QUESTION,
    title: 'Tower',
    sections: [],
    citations: citations === 0 ? [] : [cited],
    gaps: [],
    markdown: '10 m [1]',
  };
}

export function compiled(mode: TaskMode): RoleOutput {
  return {
    role: 'requirement_compiler',
    task_spec: {
      mode,
      requirement_text: QUESTION,
      scope: {
        questions: [QUESTION],
        topics: [],
        items: [],
        as_of: null,
        region: null,
        exclusions: [],
        known_urls: [],
        allowed_domains: [],
        acceptance: [],
        max_candidates: 10,
      },
      output: {
        language: 'en',
        form: 'short_answer',
        formats: ['markdown'],
        row: null,
        key: [],
        fields: [],
        max_rows: null,
      },
      execution: { max_pages: 2, max_waves: 2, max_duration_ms: 120_000, max_parallel: 2 },
      budget: { currency: 'USD', cap_minor: '0', unknown_price_policy: 'block' },
      policy_refs: [],
    },
    origins: {},
    title: 'Tower',
    clarifications: [],
  };
}

export const roleOutputs = {
  compiled,
  chosen: (reads: readonly Candidate[]): RoleOutput => ({ role: 'coordinator', reads: [...reads], skipped: [] }),
  planned: { role: 'search_planner', briefs: ['tower height'] } satisfies RoleOutput,
  navigate: { role: 'browser_researcher', action: { kind: 'navigate', url: URL_OF_PAGE } } satisfies RoleOutput,
  read: { role: 'browser_researcher', action: { kind: 'read' } } satisfies RoleOutput,
  finish: { role: 'browser_researcher', action: { kind: 'finish', reason: 'a login wall' } } satisfies RoleOutput,
  extracted: (proposals: readonly Proposal[]): RoleOutput => ({ role: 'extractor', proposals: [...proposals] }),
  verified: {
    role: 'verifier',
    accepted: [{ proposal, status: 'verified', group: null }],
    rejected: [{ quote: '9 m', reason: 'not on the page' }],
    conflicts: 0,
  } satisfies RoleOutput,
  written: (citations: 0 | 1): RoleOutput => ({ role: 'report_writer', answer: answer(citations) }),
};

export const refused = failure('effect.failed', 'the far end said no');
