import * as z from 'zod';
import { Timestamp } from '../ids.ts';

/** What is scarce: `model.<profile>`, `family.<registrable domain>`, `contexts`. */
export const ResourceName = z.string().regex(/^(?:model|family)\.[a-z0-9][a-z0-9.-]{0,99}$|^contexts$/);

/** Null limits nothing. */
export const ResourceLimits = z.object({
  in_flight: z.int().positive(),
  per_minute: z.int().positive().nullable(),
  tokens_per_minute: z.int().positive().nullable(),
  /** Longest wait in the queue, whatever deadline was asked for. */
  wait_ms: z.int().positive(),
});
export type ResourceLimits = z.infer<typeof ResourceLimits>;

export const LimiterInput = ResourceLimits.extend({ resource: ResourceName });
export type LimiterInput = z.infer<typeof LimiterInput>;

/** Ids of actors know no dots. Two resources that differ in dots alone share a limiter, which only makes it stricter. */
export const limiterAddress = (resource: string): `limiter/${string}` => `limiter/${resource.replaceAll('.', '_')}`;

export const LimiterMail = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('permit.ask'),
    permit_id: z.string().min(1).max(200),
    /** Whose turn it is: a task. Parties are served in rotation, and each in the order of its asking. */
    party: z.string().min(1).max(200),
    reply_to: z.string(),
    /** After this the permit comes back by itself. */
    hold_ms: z.int().positive(),
    /** What it will use of a rate by tokens; absent: nothing. */
    tokens: z.int().nonnegative().optional(),
    /** No later than this, if it is given, and no longer than `wait_ms`, if that is. */
    deadline_time: Timestamp.optional(),
    wait_ms: z.int().positive().optional(),
    /** As configured now; they replace older ones, and what is held stays held. Absent: they stay. */
    limits: ResourceLimits.optional(),
  }),
  z.object({ type: z.literal('permit.return'), permit_id: z.string() }),
]);
export type LimiterMail = z.infer<typeof LimiterMail>;

/** Limiter → whoever asked. */
export const PermitReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('permit.granted'), permit_id: z.string(), expires_time: Timestamp }),
  z.object({
    type: z.literal('permit.refused'),
    permit_id: z.string(),
    reason: z.enum(['deadline', 'queue_full', 'too_large']),
  }),
]);
export type PermitReport = z.infer<typeof PermitReport>;
