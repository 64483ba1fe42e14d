import type { RoleOutput } from '#contracts/actors/role.ts';
import { profileOf, type Engine } from '#contracts/research/engine.ts';

/** An answer says which engine the task was worked on with, also where the last step needed no model. */
export function withEngine(output: RoleOutput, engine: Engine): RoleOutput {
  if (output.role !== 'report_writer') return output;
  const profile = profileOf(engine);
  const label = profile === null ? {} : { engine_profile: profile };
  return { ...output, answer: { ...output.answer, engine: engine.kind, ...label } };
}
