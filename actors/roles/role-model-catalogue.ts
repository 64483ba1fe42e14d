import type { RoleName } from '#contracts/actors/role.ts';
import { analystModel } from './analyst/model.ts';
import { researcherModel } from './browser-researcher/model.ts';
import { coordinatorModel } from './coordinator/model.ts';
import { extractorModel } from './extractor/model.ts';
import { writerModel } from './report-writer/model.ts';
import { compilerModel } from './requirement-compiler/model.ts';
import type { AnyModelPart } from './role-model.ts';
import { plannerModel } from './search-planner/model.ts';
import { verifierModel } from './verifier/model.ts';

/** How each of the eight roles is played by a model. */
export const modelParts: { readonly [Role in RoleName]: AnyModelPart } = {
  requirement_compiler: compilerModel,
  coordinator: coordinatorModel,
  search_planner: plannerModel,
  browser_researcher: researcherModel,
  extractor: extractorModel,
  verifier: verifierModel,
  analyst: analystModel,
  report_writer: writerModel,
};
