import * as z from 'zod';
import { fail } from '#contracts/errors.ts';
import { ArtifactList, ArtifactView, EvidenceView, RoleRunList, SourceRevisionView } from '#contracts/http/research.ts';
import { OperationView } from '#contracts/http/tasks.ts';
import { ArtifactId, EvidenceId, OperationId, SourceRevisionId, TaskId } from '#contracts/ids.ts';
import { answerArtifactFile } from '../artifact-file.ts';
import { defineRoute, type Gateway, type Route } from '../route.ts';

const LIST_LIMIT = 500;
const ArtifactById = z.object({ artifact_id: ArtifactId });

const listArtifacts = defineRoute({
  method: 'get',
  path: '/artifacts',
  summary: 'Results of the project, newest first',
  access: 'signed_in',
  answer: { status: 200, schema: ArtifactList, description: 'At most 500' },
  handle: async (gateway, { project }) => ({ artifacts: await gateway.reads.artifacts.list(project, LIST_LIMIT) }),
});

const getArtifact = defineRoute({
  method: 'get',
  path: '/artifacts/:artifact_id',
  summary: 'A result with its revision and the hashes of its files',
  access: 'signed_in',
  params: ArtifactById,
  answer: { status: 200, schema: ArtifactView, description: 'The latest revision' },
  handle: async (gateway, { project, params }) => requireArtifact(gateway, project, params.artifact_id),
});

const getFile = defineRoute({
  method: 'get',
  path: '/artifacts/:artifact_id/files/:name',
  summary: 'Bytes of one file of a result, checked against its hash',
  access: 'signed_in',
  params: ArtifactById.extend({ name: z.string().max(200) }),
  query: z.strictObject({ disposition: z.enum(['attachment', 'inline']).optional() }),
  answer: { status: 200, mediaType: 'application/octet-stream', description: 'The file in its own media type' },
  handle: async (gateway, { project, params, query, ctx }) => {
    const artifact = await requireArtifact(gateway, project, params.artifact_id);
    const disposition = query.disposition ?? 'attachment';
    return answerArtifactFile(gateway.blobs, ctx, { artifact, name: params.name, disposition });
  },
});

const getSourceRevision = defineRoute({
  method: 'get',
  path: '/source-revisions/:source_revision_id',
  summary: 'A source: its text as it was read, with the quotes taken from it',
  access: 'signed_in',
  params: z.object({ source_revision_id: SourceRevisionId }),
  answer: { status: 200, schema: SourceRevisionView, description: 'Never changes; `spans` may grow' },
  handle: async (gateway, { project, params }) => {
    const id = params.source_revision_id;
    const revision = await gateway.reads.research.sourceRevision(project, id);
    if (revision === null) return fail('resource.not_found', 'there is no such source revision');
    const evidence = await gateway.reads.research.evidenceOfSource(project, id);
    const spans = evidence.map(({ evidence_id, start, end, stance }) => ({ evidence_id, start, end, stance }));
    return { ...revision, spans };
  },
});

const getEvidence = defineRoute({
  method: 'get',
  path: '/evidence/:evidence_id',
  summary: 'One located quote and the source it stands in',
  access: 'signed_in',
  params: z.object({ evidence_id: EvidenceId }),
  answer: { status: 200, schema: EvidenceView, description: '`text.slice(start, end) === quote` in the source' },
  handle: async (gateway, { project, params }) => {
    const evidence = await gateway.reads.research.evidence(project, params.evidence_id);
    if (evidence === null) return fail('resource.not_found', 'there is no such evidence');
    const revision = await gateway.reads.research.sourceRevision(project, evidence.source_revision_id);
    if (revision === null) return fail('resource.gone', 'the source of this evidence is no longer there');
    const { source_revision_id, final_url, title, language, retrieved_time } = revision;
    return { ...evidence, source: { source_revision_id, final_url, title, language, retrieved_time } };
  },
});

const listRoleRuns = defineRoute({
  method: 'get',
  path: '/tasks/:task_id/role-runs',
  summary: 'How the roles of a task worked: versions, what was shown, what was refused and why',
  access: 'signed_in',
  params: z.object({ task_id: TaskId }),
  answer: { status: 200, schema: RoleRunList, description: 'Runs that ended, in the order of their ends' },
  handle: async (gateway, { project, params }) => {
    const task = await gateway.reads.tasks.find(project, params.task_id);
    if (task === null) return fail('resource.not_found', 'there is no such task');
    return { role_runs: [...(await gateway.reads.research.roleRunsOfTask(project, params.task_id))] };
  },
});

const getOperation = defineRoute({
  method: 'get',
  path: '/operations/:operation_id',
  summary: 'What became of an accepted command',
  access: 'signed_in',
  params: z.object({ operation_id: OperationId }),
  answer: { status: 200, schema: OperationView, description: 'As it stands' },
  handle: async (gateway, { project, params }) =>
    (await gateway.reads.operations.find(project, params.operation_id)) ??
    fail('resource.not_found', 'there is no such operation'),
});

async function requireArtifact(gateway: Gateway, project: string, id: string) {
  return (await gateway.reads.artifacts.find(project, id)) ?? fail('resource.not_found', 'there is no such result');
}

export const researchRoutes: readonly Route[] = [
  listArtifacts,
  getArtifact,
  getFile,
  getSourceRevision,
  getEvidence,
  listRoleRuns,
  getOperation,
];
