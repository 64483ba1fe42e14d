import * as z from 'zod';
import { BudgetAnswer } from '#contracts/actors/ledger.ts';
import { PermitReport } from '#contracts/actors/limiter.ts';
import { PaidCallInput, PaidCancel, PaidResult } from '#contracts/actors/paid-call.ts';
import { Failure } from '#contracts/errors.ts';
import { ModelCost } from '#contracts/research/model-cost.ts';
import { ModelUsage } from '#contracts/research/model.ts';

export const PaidCallState = PaidCallInput.extend({
  /** Nothing more is wanted of it; what was sent is settled all the same. */
  cancelled: z.boolean(),
});
export type PaidCallState = z.infer<typeof PaidCallState>;

export const PaidCallMail = z.union([
  PermitReport,
  BudgetAnswer,
  PaidCancel,
  z.object({ type: z.literal('child.fenced'), address: z.string() }),
]);
export type PaidCallMail = z.infer<typeof PaidCallMail>;

/**
 * How the call ended. `cost` null: surely nothing was sent, or it was turned away and nothing is charged.
 * A failure that the vendor was paid for is an ending like any other.
 */
export const CallEnd = z.discriminatedUnion('ended', [
  z.object({
    ended: z.literal('answered'),
    result: PaidResult,
    cost: ModelCost.nullable(),
    usage: ModelUsage.nullable(),
  }),
  z.object({ ended: z.literal('failed'), failure: Failure, cost: ModelCost.nullable(), usage: ModelUsage.nullable() }),
]);
export type CallEnd = z.infer<typeof CallEnd>;

export type SendInput = Pick<PaidCallState, 'paid_call_id' | 'fence' | 'call'>;
export type AbortInput = Pick<PaidCallState, 'paid_call_id'>;
