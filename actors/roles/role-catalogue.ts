import type { RoleName, RoleOutput, RoleTask } from '#contracts/actors/role.ts';
import { assertNever } from '#contracts/assert-never.ts';
import type { Language } from '#contracts/ids.ts';
import { analyst } from './analyst/definition.ts';
import { browserResearcher } from './browser-researcher/definition.ts';
import { coordinator } from './coordinator/definition.ts';
import { extractor } from './extractor/definition.ts';
import { reportWriter } from './report-writer/definition.ts';
import { requirementCompiler } from './requirement-compiler/definition.ts';
import type { MaterialRequest, Materials, RoleDefinition } from './role-definition.ts';
import { searchPlanner } from './search-planner/definition.ts';
import { verifier } from './verifier/definition.ts';

/** The eight roles. */
export const roleDefinitions: { readonly [Role in RoleName]: RoleDefinition<Role> } = {
  requirement_compiler: requirementCompiler,
  coordinator,
  search_planner: searchPlanner,
  browser_researcher: browserResearcher,
  extractor,
  verifier,
  analyst,
  report_writer: reportWriter,
};

export function materialsFor(task: RoleTask): MaterialRequest {
  switch (task.role) {
    case 'requirement_compiler':
      return requirementCompiler.materials(task);
    case 'coordinator':
      return coordinator.materials(task);
    case 'search_planner':
      return searchPlanner.materials(task);
    case 'browser_researcher':
      return browserResearcher.materials(task);
    case 'extractor':
      return extractor.materials(task);
    case 'verifier':
      return verifier.materials(task);
    case 'analyst':
      return analyst.materials(task);
    case 'report_writer':
      return reportWriter.materials(task);
    default:
      return assertNever(task, 'role');
  }
}

/** The extractive engine's answer to one role task. */
export function proposeExtractively(task: RoleTask, materials: Materials, language: Language): RoleOutput {
  switch (task.role) {
    case 'requirement_compiler':
      return requirementCompiler.propose(task, materials, language);
    case 'coordinator':
      return coordinator.propose(task, materials, language);
    case 'search_planner':
      return searchPlanner.propose(task, materials, language);
    case 'browser_researcher':
      return browserResearcher.propose(task, materials, language);
    case 'extractor':
      return extractor.propose(task, materials, language);
    case 'verifier':
      return verifier.propose(task, materials, language);
    case 'analyst':
      return analyst.propose(task, materials, language);
    case 'report_writer':
      return reportWriter.propose(task, materials, language);
    default:
      return assertNever(task, 'role');
  }
}
