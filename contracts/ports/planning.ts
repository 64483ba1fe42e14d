import type { Language } from '../ids.ts';
import type { Engine } from '../research/engine.ts';
import type { PlanAbilities, PreflightFinding } from '../research/preflight.ts';
import type { SpecSettings } from '../research/spec-settings.ts';

export type ProbeRequest = {
  readonly engine: Engine;
  readonly language: Language;
  readonly needsSearch: boolean;
  readonly signal: AbortSignal;
};

/**
 * What an installation plans with: how it is configured, and whether it works at the moment.
 *
 *   PP1  `surroundings` looks at nothing but the configuration.
 *   PP2  `probe` really asks: it starts the browser's health check, asks the search and the endpoint of the model. It spends no money;
 *        what can only be asked for money is told as a note and not asked.
 *   PP3  An engine is the same only in all its versions.
 */
export interface PlanningPort {
  /** Readings by another version of the reader are not comparable. */
  readonly parserVersion: string;
  surroundings(): { readonly engine: Engine; readonly settings: SpecSettings; readonly abilities: PlanAbilities };
  probe(request: ProbeRequest): Promise<readonly PreflightFinding[]>;
  /** Why a pinned engine cannot be used any more, in words; null when it can. */
  engineProblem(engine: Engine): string | null;
}
