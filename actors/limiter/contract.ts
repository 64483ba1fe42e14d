import * as z from 'zod';
import { LimiterInput } from '#contracts/actors/limiter.ts';

const Ask = z.object({
  permit_id: z.string(),
  party: z.string(),
  reply_to: z.string(),
  hold_ms: z.int().positive(),
  tokens: z.int().nonnegative(),
});

/** Times are milliseconds since the epoch. */
export const Waiting = Ask.extend({ until_ms: z.number() });
export type Waiting = z.infer<typeof Waiting>;

export const Permit = Ask.pick({ permit_id: true, party: true }).extend({ until_ms: z.number() });
export type Permit = z.infer<typeof Permit>;

export const LimiterState = LimiterInput.extend({
  permits: z.array(Permit),
  /** In the order of asking. */
  queue: z.array(Waiting),
  /** Who was served, the one longest ago first. */
  served: z.array(z.string()),
  /** What was granted within the last minute; empty where no rate is limited. */
  granted: z.array(z.object({ at_ms: z.number(), tokens: z.int().nonnegative() })),
  /** From the last step to the next thing that happens by itself; null: nothing does. */
  wake_in_ms: z.number().nullable(),
});
export type LimiterState = z.infer<typeof LimiterState>;
