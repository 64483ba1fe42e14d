import * as z from 'zod';
import { Failure } from '../errors.ts';
import { Language, Timestamp } from '../ids.ts';
import { Answer } from '../research/answer.ts';
import { Engine } from '../research/engine.ts';
import { ModelCost } from '../research/model-cost.ts';
import { Evidence, Gap } from '../research/evidence.ts';
import { Clarification } from '../research/clarification.ts';
import { SpecSettings } from '../research/spec-settings.ts';
import { ChatMode, Origins, TaskSpec } from '../research/task-spec.ts';

export const RoleName = z.enum([
  'requirement_compiler',
  'coordinator',
  'search_planner',
  'browser_researcher',
  'extractor',
  'verifier',
  'analyst',
  'report_writer',
]);
export type RoleName = z.infer<typeof RoleName>;

/** RO-02: what a run was made with; results of other versions are not comparable and not reused. */
export const RoleVersions = z.object({
  contract: z.string(),
  prompt: z.string(),
  model_profile: z.string(),
  tool_policy: z.string(),
  output_schema: z.string(),
});
export type RoleVersions = z.infer<typeof RoleVersions>;

export const Candidate = z.object({ url: z.string(), title: z.string(), snippet: z.string() });
export type Candidate = z.infer<typeof Candidate>;

/** A located quote somebody proposes as an answer; nothing is believed before the verifier looked. */
export const Proposal = z.object({
  source_revision_id: z.string(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  quote: z.string().min(1),
  anchor: Evidence.shape.anchor,
  /** The claim in words; for quotes the quote itself, for table rows the row spelled out with its headers. */
  claim: z.string().min(1),
  score: z.number(),
  why: z.string(),
});
export type Proposal = z.infer<typeof Proposal>;

export const RejectedProposal = z.object({ quote: z.string(), reason: z.string() });

const ProposedAssertion = z.object({
  proposal: Proposal,
  status: z.enum(['verified', 'conflicting']),
  group: z.int().nonnegative().nullable(),
});

/** What each role is asked, by name. Ids of stored artifacts travel, their bytes do not. */
export const RoleTask = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('requirement_compiler'),
    text: z.string(),
    mode: ChatMode,
    asked_time: Timestamp,
    /** Absent: the defaults of the product. */
    settings: SpecSettings.optional(),
  }),
  z.object({
    role: z.literal('coordinator'),
    candidates: z.array(z.object({ question_index: z.int(), candidates: z.array(Candidate) })),
    already_read: z.array(z.string()),
    max_pages: z.int().positive(),
  }),
  z.object({ role: z.literal('search_planner'), question: z.string(), allowed_domains: z.array(z.string()) }),
  z.object({
    role: z.literal('browser_researcher'),
    url: z.string(),
    observation: z
      .object({ final_url: z.string(), title: z.string(), http_status: z.int().nullable(), content_type: z.string() })
      .nullable(),
  }),
  z.object({
    role: z.literal('extractor'),
    question: z.string(),
    form: z.enum(['short_answer', 'report']),
    source_revision_ids: z.array(z.string()),
  }),
  z.object({ role: z.literal('verifier'), question: z.string(), proposals: z.array(Proposal) }),
  z.object({ role: z.literal('analyst'), question: z.string(), assertion_ids: z.array(z.string()) }),
  z.object({
    role: z.literal('report_writer'),
    title: z.string(),
    questions: z.array(z.string()),
    form: z.enum(['short_answer', 'report']),
    gaps: z.array(Gap),
  }),
]);
export type RoleTask = z.infer<typeof RoleTask>;

export const RoleOutput = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('requirement_compiler'),
    task_spec: TaskSpec,
    origins: Origins,
    title: z.string(),
    clarifications: z.array(Clarification).max(8),
  }),
  z.object({
    role: z.literal('coordinator'),
    reads: z.array(Candidate),
    skipped: z.array(z.object({ url: z.string(), reason: z.string() })),
  }),
  z.object({ role: z.literal('search_planner'), briefs: z.array(z.string().min(1).max(1000)).min(1).max(4) }),
  z.object({
    role: z.literal('browser_researcher'),
    action: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('navigate'), url: z.string() }),
      z.object({ kind: z.literal('read') }),
      z.object({ kind: z.literal('finish'), reason: z.string() }),
    ]),
  }),
  z.object({ role: z.literal('extractor'), proposals: z.array(Proposal).max(60) }),
  z.object({
    role: z.literal('verifier'),
    accepted: z.array(ProposedAssertion),
    rejected: z.array(RejectedProposal),
    conflicts: z.int().nonnegative(),
  }),
  z.object({ role: z.literal('analyst'), computations: z.array(z.object({ method: z.string(), input: z.json() })) }),
  z.object({ role: z.literal('report_writer'), answer: Answer }),
]);
export type RoleOutput = z.infer<typeof RoleOutput>;

export const RoleRunInput = z.object({
  role_run_id: z.string(),
  task_id: z.string(),
  reply_to: z.string(),
  language: Language,
  ask: RoleTask,
  /** What the task was frozen with. Absent before that, when the run takes the configured default and says which. */
  engine: Engine.optional(),
  /** Notes of earlier runs of the role in this task. They may help it and bind nobody: every check goes by stored artifacts. */
  memory: z.array(z.string().max(500)).max(20).optional(),
});
export type RoleRunInput = z.infer<typeof RoleRunInput>;

/** Something that was proposed and did not pass a check, with the reason. Shown, and no part of any result. */
export const RoleNote = z.object({ what: z.string().max(300), reason: z.string().max(300) });
export type RoleNote = z.infer<typeof RoleNote>;

/** How a run went, kept beside its task: with what it was made, what it was shown, what was refused. */
export const RoleRunRecord = z.object({
  role_run_id: z.string(),
  task_id: z.string(),
  role: RoleName,
  status: z.enum(['finished', 'failed']),
  engine: Engine.nullable(),
  versions: RoleVersions,
  calls: z.int().nonnegative(),
  costs: z.array(ModelCost.nullable()),
  /** Null when nothing was shown to a model. */
  pack: z
    .object({
      window_tokens: z.int(),
      room_tokens: z.int(),
      shown: z.array(z.object({ key: z.string(), id: z.string(), characters: z.int(), shown_characters: z.int() })),
      left_out: z.array(z.string()),
    })
    .nullable(),
  notes: z.array(RoleNote),
  failure: Failure.nullable(),
});
export type RoleRunRecord = z.infer<typeof RoleRunRecord>;

/** Role run → whoever asked. */
export const RoleReport = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('role.finished'),
    role_run_id: z.string(),
    output: RoleOutput,
    engine: Engine.optional(),
    notes: z.array(RoleNote).max(100).optional(),
  }),
  z.object({ type: z.literal('role.failed'), role_run_id: z.string(), failure: Failure }),
]);
export type RoleReport = z.infer<typeof RoleReport>;
