import * as z from 'zod';
import { FailureCode } from '../errors.ts';
import { EngineKind } from '../research/engine.ts';
import { UnknownCost } from '../research/model-cost.ts';
import { Currency, MinorAmount } from '../research/money.ts';
import { ModelProtocol } from '../research/model-profile.ts';

/** Why a profile cannot be used now. Words for people; never a key, never where one lies. */
export const ModelProblem = z.object({ code: FailureCode, message: z.string() });
export type ModelProblem = z.infer<typeof ModelProblem>;

/** A profile as people may see it: no key, and of the address the host alone. */
export const ModelView = z.object({
  profile: z.string(),
  version: z.string(),
  protocol: ModelProtocol,
  model: z.string(),
  host: z.string(),
  context_window: z.int().positive(),
  max_output_tokens: z.int().positive(),
  /** Null: what a call costs is not known. */
  prices: z.object({ currency: z.string(), version: z.string(), date: z.string(), complete: z.boolean() }).nullable(),
  /** Chosen by the configuration: what new tasks are frozen with. */
  is_default: z.boolean(),
  problem: ModelProblem.nullable(),
});
export type ModelView = z.infer<typeof ModelView>;

export const ModelsView = z.object({ engine: EngineKind, models: z.array(ModelView) });
export type ModelsView = z.infer<typeof ModelsView>;

export const ModelProbeCheck = z.object({
  name: z.string(),
  expected: z.string(),
  found: z.string(),
  is_met: z.boolean(),
  /** When the endpoint refused. */
  code: FailureCode.nullable(),
});

export const ModelProbeView = z.object({
  profile: z.string(),
  /** Everything is as the profile says. */
  ok: z.boolean(),
  /** What the endpoint calls itself. */
  model: z.string().nullable(),
  checks: z.array(ModelProbeCheck),
  /** It could not be asked at all. */
  problem: ModelProblem.nullable(),
  /** The calls of the probe are paid for like any other. */
  cost: z.object({
    amounts: z.array(z.object({ currency: Currency, minor: MinorAmount })).readonly(),
    unknown: z.array(UnknownCost).readonly(),
  }),
});
export type ModelProbeView = z.infer<typeof ModelProbeView>;
