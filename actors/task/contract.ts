import * as z from 'zod';
import { ArtifactReport } from '#contracts/actors/artifact.ts';
import { BudgetChanged, BudgetTotals } from '#contracts/actors/ledger.ts';
import { Candidate, Proposal, RoleReport } from '#contracts/actors/role.ts';
import {
  Continuation,
  Cost,
  PlanNode,
  PlanVersion,
  TaskArtifact,
  TaskCommand,
  TaskRequest,
  TaskStatus,
} from '#contracts/actors/task.ts';
import { WorkPayload, WorkReport } from '#contracts/actors/work-item.ts';
import { Language, Sha256 } from '#contracts/ids.ts';
import { Answer } from '#contracts/research/answer.ts';
import { Clarification } from '#contracts/research/clarification.ts';
import { Engine } from '#contracts/research/engine.ts';
import { Gap } from '#contracts/research/evidence.ts';
import { PlanAbilities, Preflight, type PreflightFinding } from '#contracts/research/preflight.ts';
import { SpecSettings } from '#contracts/research/spec-settings.ts';
import { Origins, TaskSpec } from '#contracts/research/task-spec.ts';

/** A node of the plan with what its work item is given. `number` is its place in the plan, from 1; it never changes. */
export const TaskNode = PlanNode.extend({
  number: z.int().positive(),
  payload: WorkPayload,
  proposals: z.array(Proposal).optional(),
});
export type TaskNode = z.infer<typeof TaskNode>;

export const QuestionState = z.object({
  question: z.string(),
  candidates: z.array(Candidate),
  assertions: z.int().nonnegative(),
  sources: z.int().nonnegative(),
  independent: z.int().nonnegative(),
  /** Taken over from the task before; they are verified again, not believed. */
  inherited: z.array(Proposal),
});
export type QuestionState = z.infer<typeof QuestionState>;

export const TaskState = z.object({
  task_id: z.string(),
  request: TaskRequest,
  /** Of the answer: the language of the question. */
  language: Language,
  status: TaskStatus,
  title: z.string(),
  spec: TaskSpec.nullable(),
  origins: Origins.nullable(),
  plan_version: z.int().nonnegative(),
  plan_hash: Sha256.nullable(),
  /** 0 before the first run; +1 with each resume. */
  run: z.int().nonnegative(),
  /** Generation of the fence `task:<id>`; the cancel_generation of the interface. */
  generation: z.int().nonnegative(),
  /** Number of events published so far; equals the runtime's own count. */
  event_seq: z.int().nonnegative(),
  nodes: z.array(TaskNode),
  wave: z.int().nonnegative(),
  /** A coordinator was asked which pages come next and has not answered. */
  choosing: z.boolean(),
  questions: z.array(QuestionState),
  /** Addresses chosen in any wave, read or not. */
  chosen_urls: z.array(z.string()),
  /** Pages that were read, by their place in the plan: the order in which search ranked them. */
  reads: z.array(z.object({ number: z.int().positive(), source_revision_id: z.string() })),
  gaps: z.array(Gap),
  artifacts: z.array(TaskArtifact),
  cost: Cost,
  answer: Answer.pick({ markdown: true, citations: true }).nullable(),
  problem: z.object({ code: z.string(), message: z.string() }).nullable(),
  ended_time: z.string().nullable(),
  /** As configured when the contract was compiled; null in tasks of the first release. */
  surroundings: z.object({ engine: Engine, settings: SpecSettings, abilities: PlanAbilities }).nullable(),
  /** Frozen with the plan: every role of the task is made with just this. */
  engine: Engine.nullable(),
  /** Times the compiler was asked again because its questions could not make a plan. */
  repairs: z.int().nonnegative(),
  clarifications: z.array(Clarification),
  preflight: Preflight.nullable(),
  /** Numbers the preflights. */
  checks: z.int().nonnegative(),
  history: z.array(PlanVersion),
  /** Why a person has to start it. */
  reasons: z.array(z.string()),
  /** Of the present run. */
  deadline_time: z.string().nullable(),
  /** Queries that were looked up, by identity. */
  asked: z.array(z.object({ identity: z.string(), words: z.string() })),
  budget: BudgetTotals.nullable(),
  /** The account refused work: nothing that costs is begun any more. */
  exhausted: z.boolean(),
  continues: Continuation.nullable(),
  /** Accepted, and not done before what it asked for is known. */
  pending: z.object({ operation_id: z.string(), request_id: z.string() }).nullable(),
});
export type TaskState = z.infer<typeof TaskState>;

const commandFields = { operation_id: z.string(), request_id: z.string(), time: z.string().optional() };

export const TaskMail = z.union([
  /** Rides on the message that creates the task; an existing task ignores it. */
  z.object({ type: z.literal('task.create') }),
  z.discriminatedUnion('type', [
    TaskCommand.options[0].extend(commandFields),
    TaskCommand.options[1].extend(commandFields),
    TaskCommand.options[2].extend(commandFields),
    TaskCommand.options[3].extend(commandFields),
    TaskCommand.options[4].extend(commandFields),
    TaskCommand.options[5].extend(commandFields),
    TaskCommand.options[6].extend(commandFields),
    TaskCommand.options[7].extend(commandFields),
  ]),
  WorkReport,
  RoleReport,
  ArtifactReport,
  BudgetChanged,
  z.object({ type: z.literal('child.fenced'), address: z.string() }),
]);
export type TaskMail = z.infer<typeof TaskMail>;
export type MailOf<Type extends TaskMail['type']> = Extract<TaskMail, { type: Type }>;

/** What the plan is made with and held against: as configured at this moment. */
export type Surroundings = NonNullable<TaskState['surroundings']>;
export type FreezeInput = { readonly spec: TaskSpec; readonly plan_version: number };
/** `surroundings` are missing from effects of the first release that ended before an update. */
export type Frozen = { readonly plan_hash: string; readonly surroundings?: Surroundings };
export type CloseInput = { readonly task_id: string };
export type ProbeInput = {
  readonly engine: Engine | null;
  readonly language: Language;
  readonly needs_search: boolean;
  /** What a resumed task builds on; each has to be there still. */
  readonly source_revision_ids: readonly string[];
};
export type Probed = {
  readonly findings: readonly PreflightFinding[];
  readonly missing_sources: readonly string[];
  /** Why the pinned engine cannot be used any more; null when it can. */
  readonly engine_problem: string | null;
};
export type InheritInput = { readonly parent_task_id: string; readonly questions: readonly string[] };
export type Inherited = {
  readonly continuation: Continuation | null;
  /** By question of the earlier task, in its words. */
  readonly answers: readonly { readonly question: string; readonly proposals: readonly Proposal[] }[];
};
