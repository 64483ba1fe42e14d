import * as z from 'zod';
import { Sha256 } from '../ids.ts';
import { Clarification } from '../research/clarification.ts';
import { Preflight } from '../research/preflight.ts';

const ofTurn = { task_id: z.string(), turn_id: z.string() };

/** Task → the conversation that it belongs to. Each names the turn, so that one turn's work never changes another's (TK-08). */
export const TaskReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('turn.task_started'), ...ofTurn }),
  /** Key conditions are open; all of them at once. The task waits for `task.answer`. */
  z.object({ type: z.literal('turn.task_asks'), ...ofTurn, clarifications: z.array(Clarification).min(1) }),
  /** The open conditions are settled, wherever the answers came from. */
  z.object({
    type: z.literal('turn.task_settled'),
    ...ofTurn,
    answers: z.array(z.object({ clarification_id: z.string(), label: z.string(), by: z.enum(['user', 'platform']) })),
  }),
  /** A version of the plan is frozen; with `needs_confirmation` it waits for a start that names exactly this version. */
  z.object({
    type: z.literal('turn.task_planned'),
    ...ofTurn,
    plan_version: z.int().positive(),
    plan_hash: Sha256,
    preflight: Preflight,
    needs_confirmation: z.boolean(),
    reasons: z.array(z.string()),
  }),
  z.object({
    type: z.literal('turn.task_ended'),
    ...ofTurn,
    status: z.string(),
    markdown: z.string(),
    citations: z.array(z.json()),
    gaps: z.array(z.json()),
    artifact: z.object({ artifact_id: z.string(), revision: z.int(), title: z.string() }).nullable(),
  }),
]);
export type TaskReport = z.infer<typeof TaskReport>;
