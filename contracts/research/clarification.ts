import * as z from 'zod';

export const ClarificationOption = z.object({ value: z.json(), label: z.string().min(1).max(200) });

/**
 * A key condition that the request leaves open. All of a task are asked once and together (TS-06).
 * Every one can be left to the platform: `default` is what it then takes, and `default_origin` says whose value that is.
 */
export const Clarification = z.object({
  clarification_id: z.string().min(1).max(80),
  /** What of the contract the answer decides. */
  pointer: z.string(),
  question: z.string().min(1).max(500),
  options: z.array(ClarificationOption).max(8),
  default: z.json(),
  /** The default in words. */
  default_label: z.string().min(1).max(300),
  default_origin: z.enum(['template', 'inferred_awaiting_confirmation']),
});
export type Clarification = z.infer<typeof Clarification>;

export const ClarificationAnswer = z.object({ clarification_id: z.string().min(1).max(80), value: z.json() });
export type ClarificationAnswer = z.infer<typeof ClarificationAnswer>;
