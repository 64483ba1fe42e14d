import type { PlanningPort, ProbeRequest } from '#contracts/ports/planning.ts';
import { EXTRACTIVE, engineDifference, type Engine } from '#contracts/research/engine.ts';
import { FREE_ABILITIES, type PlanAbilities, type PreflightFinding } from '#contracts/research/preflight.ts';
import { DEFAULT_SPEC_SETTINGS, type SpecSettings } from '#contracts/research/spec-settings.ts';
import { PARSER_VERSION } from '#runtime/providers/reader/parser-version.ts';

/** An installation whose configuration and whose tools a test decides. */
export class OpenPlanning implements PlanningPort {
  engine: Engine = EXTRACTIVE;
  settings: SpecSettings = DEFAULT_SPEC_SETTINGS;
  abilities: PlanAbilities = FREE_ABILITIES;
  parserVersion = PARSER_VERSION;
  /** What the next probes find. */
  findings: readonly PreflightFinding[] = [];
  readonly probes: ProbeRequest[] = [];

  surroundings() {
    const { engine, settings, abilities } = this;
    return { engine, settings, abilities };
  }

  probe(request: ProbeRequest): Promise<readonly PreflightFinding[]> {
    this.probes.push(request);
    return Promise.resolve(this.findings);
  }

  engineProblem(engine: Engine): string | null {
    return engineDifference(engine, this.engine);
  }
}
