import { RoleOutput } from '#contracts/actors/role.ts';
import { fail } from '#contracts/errors.ts';
import type { ResearchReads } from '#contracts/ports/reads.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import { defineEffect } from '#runtime/core/authoring.ts';
import { materialsFor, proposeExtractively } from './role-catalogue.ts';
import type { Materials } from './role-definition.ts';
import type { ProposeInput } from './role-machine.ts';

export type RolePorts = { readonly research: ResearchReads };

async function loadMaterials(input: ProposeInput, project: string, research: ResearchReads): Promise<Materials> {
  const wanted = materialsFor(input.ask);
  const revisions = wanted.evidenceOfTask
    ? await research.sourcesOfTask(project, input.task_id)
    : await Promise.all(wanted.sourceRevisionIds.map((id) => research.sourceRevision(project, id)));
  const sources = revisions.filter((revision): revision is SourceRevision => revision !== null);
  // RO-04: an id a role names must exist in this project; a missing one is an error, not an empty result.
  if (!wanted.evidenceOfTask && sources.length !== wanted.sourceRevisionIds.length) {
    fail('resource.not_found', 'a source revision named by the task does not exist in this project');
  }
  return {
    sources,
    evidence: wanted.evidenceOfTask ? await research.evidenceOfTask(project, input.task_id) : [],
    assertions: wanted.evidenceOfTask ? await research.assertionsOfTask(project, input.task_id) : [],
  };
}

export const roleEffects = {
  propose: defineEffect<ProposeInput, RoleOutput, RolePorts>({
    class: 'idempotent',
    timeoutMs: 60_000,
    run: async (input, fx) => {
      const materials = await loadMaterials(input, fx.project, fx.ports.research);
      const output = RoleOutput.safeParse(proposeExtractively(input.ask, materials, input.language));
      if (!output.success)
        fail('effect.failed', `${input.ask.role} answered outside its schema: ${output.error.message}`);
      return output.data;
    },
  }),
};
