import * as z from 'zod';
import { ArtifactReport } from '#contracts/actors/artifact.ts';
import { Candidate, RoleReport } from '#contracts/actors/role.ts';
import { Cost, PlanNode, TaskArtifact, TaskRequest, TaskStatus } from '#contracts/actors/task.ts';
import { WorkPayload, WorkReport } from '#contracts/actors/work-item.ts';
import { Language, Sha256 } from '#contracts/ids.ts';
import { Answer } from '#contracts/research/answer.ts';
import { Gap } from '#contracts/research/evidence.ts';
import { Origins, TaskSpec } from '#contracts/research/task-spec.ts';

/** A node of the plan with what its work item is given. `number` is its place in the plan, from 1; it never changes. */
export const TaskNode = PlanNode.extend({ number: z.int().positive(), payload: WorkPayload });
export type TaskNode = z.infer<typeof TaskNode>;

export const QuestionState = z.object({
  question: z.string(),
  candidates: z.array(Candidate),
  assertions: z.int().nonnegative(),
  sources: z.int().nonnegative(),
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
});
export type TaskState = z.infer<typeof TaskState>;

const commandFields = { operation_id: z.string(), request_id: z.string(), time: z.string().optional() };

export const TaskMail = z.union([
  /** Rides on the message that creates the task; an existing task ignores it. */
  z.object({ type: z.literal('task.create') }),
  z.object({ type: z.literal('task.start'), plan_hash: Sha256, plan_version: z.int().positive(), ...commandFields }),
  z.object({ type: z.literal('task.pause'), ...commandFields }),
  z.object({ type: z.literal('task.resume'), ...commandFields }),
  z.object({ type: z.literal('task.stop'), ...commandFields }),
  z.object({ type: z.literal('task.cancel'), ...commandFields }),
  WorkReport,
  RoleReport,
  ArtifactReport,
  z.object({ type: z.literal('child.fenced'), address: z.string() }),
]);
export type TaskMail = z.infer<typeof TaskMail>;

export type FreezeInput = { readonly spec: TaskSpec; readonly plan_version: number };
export type Frozen = { readonly plan_hash: string };
export type CloseInput = { readonly task_id: string };
