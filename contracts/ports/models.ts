import type { ResourceLimits } from '../actors/limiter.ts';
import type { Engine } from '../research/engine.ts';
import type { ModelPort } from './model.ts';

/** The language models that are configured, by the name of their profile. */
export interface ModelsPort {
  /** What a new task is frozen with. Without a configured model it is the extractive engine. */
  defaultEngine(): Engine;
  /** The port of exactly this profile, or `model.not_configured`; another one is never taken instead. */
  open(profile: string): ModelPort;
  /** How many calls of it may run at once. */
  limits(profile: string): ResourceLimits;
}
