import * as z from 'zod';

/** BR-04. A handle is one of an observation; it is never a selector, a path or code. */
export const PageAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('navigate'), url: z.string() }),
  z.object({
    kind: z.literal('input'),
    handle: z.string(),
    /** Of a choice: the text of the option. */
    text: z.string().max(2000),
    /** Sends the form afterwards by Enter; only where that is a search. */
    submit: z.boolean(),
  }),
  z.object({ kind: z.literal('click'), handle: z.string() }),
  z.object({ kind: z.literal('scroll'), to: z.enum(['next', 'previous', 'start', 'end']) }),
  z.object({ kind: z.literal('read') }),
  z.object({ kind: z.literal('extract'), handles: z.array(z.string()).min(1).max(50) }),
  z.object({ kind: z.literal('screenshot') }),
  z.object({ kind: z.literal('finish'), reason: z.string().max(500) }),
]);
export type PageAction = z.infer<typeof PageAction>;

/** Held against the page after the action; all of them have to come true for `confirmed`. */
export const Expectation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('url'), contains: z.string() }),
  z.object({ kind: z.literal('text'), contains: z.string() }),
  /** Anything that was not there before: another document or address, new text. */
  z.object({ kind: z.literal('progress') }),
]);
export type Expectation = z.infer<typeof Expectation>;

/** Who acts, under which right, on what it saw. `null` where the actor works without a fence or a lease. */
export const ActionEnvelope = z.object({
  schema_version: z.literal(1),
  project: z.string(),
  task_id: z.string(),
  run_id: z.string(),
  work_item_id: z.string(),
  step_id: z.string(),
  agent_run_id: z.string(),
  session_id: z.string(),
  lease_epoch: z.int().nullable(),
  cancel_generation: z.int().nullable(),
  attempt: z.int().positive(),
  observation_id: z.string(),
  document_generation: z.string(),
  action_id: z.string(),
});
export type ActionEnvelope = z.infer<typeof ActionEnvelope>;

/** What the page did of itself meanwhile. Each was answered at once by policy, never by a question to somebody. */
export const ActionEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('dialog'),
    type: z.string(),
    message: z.string(),
    answer: z.enum(['dismissed', 'accepted']),
  }),
  z.object({ kind: z.literal('popup'), url: z.string(), answer: z.literal('closed') }),
  z.object({ kind: z.literal('download'), url: z.string(), name: z.string(), answer: z.literal('refused') }),
  z.object({ kind: z.literal('refused_request'), method: z.string(), url: z.string(), reason: z.string() }),
  z.object({ kind: z.literal('navigation'), url: z.string() }),
]);
export type ActionEvent = z.infer<typeof ActionEvent>;

/**
 * `confirmed`: it happened and what was expected came true. `not_dispatched`: nothing left us.
 * `unknown`: it may have happened; look again, never repeat it blindly.
 */
export const ActionOutcome = z.enum(['confirmed', 'not_dispatched', 'unknown']);
export type ActionOutcome = z.infer<typeof ActionOutcome>;

/** BR-06: the same action id with the same content gets the same receipt, and nothing is done again. */
export const ActionReceipt = z.object({
  action_id: z.string(),
  request_hash: z.string(),
  outcome: ActionOutcome,
  /** Why it was not sent, or what did not come true. */
  reason: z.string().nullable(),
  dispatched_time: z.string().nullable(),
  ended_time: z.string(),
  checks: z.array(z.object({ expectation: Expectation, held: z.boolean() })),
  events: z.array(ActionEvent),
  progress: z.object({ new_lines: z.int().nonnegative(), is_new_document: z.boolean() }),
  /** Text of what `extract` named, in the order of its handles. */
  extracted: z.array(z.string()),
});
export type ActionReceipt = z.infer<typeof ActionReceipt>;
