import * as z from 'zod';
import { Failure } from '../errors.ts';
import { ModelCost } from '../research/model-cost.ts';
import { ModelRequest, ModelResult, ModelUsage } from '../research/model.ts';
import { SearchReason, SearchRequest, SearchResponse } from '../research/search.ts';
import { RefusalReason, ReserveBudget, SpendPurpose } from './ledger.ts';
import { ResourceLimits, ResourceName } from './limiter.ts';

/** What is called. The result has the same `kind`. */
export const PaidRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('model'),
    profile: z.string(),
    /** The version of the profile that the task pinned; another one is not called. */
    profile_version: z.string(),
    request: ModelRequest,
    timeout_ms: z.int().positive().max(600_000),
  }),
  z.object({
    kind: z.literal('search'),
    request: SearchRequest,
    reason: SearchReason,
    /** How long a turn is kept for it; a search ends itself after its provider's own time. */
    timeout_ms: z.int().positive().max(600_000),
  }),
]);
export type PaidRequest = z.infer<typeof PaidRequest>;

/**
 * Spawn it with `fence: null`: its money is settled also when whoever asked is fenced out. `fence` in the input is the task's;
 * it is looked at immediately before sending, and a stop of the account (`ledger.close_task`) aborts what is in flight.
 */
export const PaidCallInput = z.object({
  paid_call_id: z.string().min(1).max(100),
  task_id: z.string(),
  role: z.string(),
  purpose: SpendPurpose,
  reply_to: z.string(),
  fence: z.object({ scope: z.string(), generation: z.int().nonnegative() }).nullable(),
  limiter: z
    .object({
      resource: ResourceName,
      /** As configured now; the limiter is created with them if there is none. */
      limits: ResourceLimits,
      party: z.string(),
      wait_ms: z.int().positive(),
      tokens: z.int().nonnegative().optional(),
    })
    .nullable(),
  /** Null only for what costs nothing at all and is not to be seen in the account. A price of nothing is `max_minor: '0'`. */
  reserve: ReserveBudget.pick({ what: true, currency: true, max_minor: true, price_version: true }).nullable(),
  call: PaidRequest,
});
export type PaidCallInput = z.infer<typeof PaidCallInput>;

export const PaidResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('model'), result: ModelResult }),
  z.object({ kind: z.literal('search'), response: SearchResponse, queries: z.array(z.string()) }),
]);
export type PaidResult = z.infer<typeof PaidResult>;

/** Task or ledger → paid call. */
export const PaidCancel = z.object({ type: z.literal('paid.cancel') });

const Ended = { paid_call_id: z.string(), cost: ModelCost.nullable(), usage: ModelUsage.nullable() };

/** Paid call → whoever asked: exactly one. `cost` is null when surely nothing was sent. */
export const PaidReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('paid.finished'), ...Ended, result: PaidResult }),
  z.object({ type: z.literal('paid.failed'), ...Ended, failure: Failure }),
  /** Nothing was sent. */
  z.object({
    type: z.literal('paid.refused'),
    paid_call_id: z.string(),
    reason: z.enum([...RefusalReason.options, 'deadline', 'queue_full', 'too_large', 'cancelled']),
    message: z.string(),
  }),
]);
export type PaidReport = z.infer<typeof PaidReport>;

export const paidCallAddress = (id: string): `paid-call/${string}` => `paid-call/${id}`;
