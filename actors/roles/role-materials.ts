import type { RoleNote, RoleTask } from '#contracts/actors/role.ts';
import { fail } from '#contracts/errors.ts';
import type { ResearchReads } from '#contracts/ports/reads.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import type { MaterialRequest, Materials } from './role-definition.ts';

const MAX_NOTES = 200;

/** The stored artifacts a role may look at: of this project, by the ids of its task, and nothing else. */
export async function loadMaterials(
  wanted: MaterialRequest,
  task: { readonly project: string; readonly taskId: string; readonly role: RoleTask['role'] },
  research: ResearchReads,
): Promise<Materials> {
  const { project, taskId, role } = task;
  const revisions = wanted.evidenceOfTask
    ? await research.sourcesOfTask(project, taskId)
    : await Promise.all(wanted.sourceRevisionIds.map((id) => research.sourceRevision(project, id)));
  const sources = revisions.filter((revision): revision is SourceRevision => revision !== null);
  // RO-04: an id a role names must exist in this project; a missing one is an error, not an empty result.
  if (!wanted.evidenceOfTask && sources.length !== wanted.sourceRevisionIds.length) {
    fail('resource.not_found', 'a source revision named by the task does not exist in this project');
  }
  return {
    sources,
    evidence: wanted.evidenceOfTask ? await research.evidenceOfTask(project, taskId) : [],
    assertions: wanted.evidenceOfTask ? await research.assertionsOfTask(project, taskId) : [],
    notes: role === 'report_writer' ? await notesOf(project, taskId, research) : [],
  };
}

async function notesOf(project: string, taskId: string, research: ResearchReads): Promise<RoleNote[]> {
  const runs = await research.roleRunsOfTask(project, taskId);
  return runs
    .filter(({ role }) => role !== 'report_writer')
    .flatMap(({ notes }) => notes)
    .slice(0, MAX_NOTES);
}
