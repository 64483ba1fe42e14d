import type { ResearchReads, ResearchWrites } from '#contracts/ports/reads.ts';
import type { Assertion } from '#contracts/research/evidence.ts';
import { MANY, selectDocuments, selectFirst, type DomainRow, type DomainRows } from './domain-rows.ts';

export function researchReads(rows: DomainRows): ResearchReads {
  const evidenceWhere = <T>(project: string, where: Record<string, string>) =>
    selectDocuments<T>(rows, project, {
      table: 'evidence',
      document: 'evidence',
      where,
      order: ['created_at', 'id'],
      limit: MANY,
    });
  return {
    sourceRevision: (project, id) =>
      selectFirst(rows, project, { table: 'source_revision', document: 'revision', where: { id }, order: [] }),
    recentRevision: (project, requested_url, parser_version, notBefore) =>
      selectFirst(rows, project, {
        table: 'source_revision',
        document: 'revision',
        where: { requested_url, parser_version },
        atLeast: { retrieved_time: notBefore },
        order: ['-retrieved_time', '-id'],
      }),
    evidence: (project, id) =>
      selectFirst(rows, project, { table: 'evidence', document: 'evidence', where: { id }, order: [] }),
    evidenceOfSource: (project, source_revision_id) => evidenceWhere(project, { source_revision_id }),
    evidenceOfTask: (project, task_id) => evidenceWhere(project, { task_id }),
    assertionsOfTask: (project, task_id) => assertionsOfTask(rows, project, task_id),
    sourcesOfTask: (project, task_id) => sourcesOfTask(rows, project, task_id),
    answerOfTask: (project, id) =>
      selectFirst(rows, project, { table: 'answer', document: 'answer', where: { id }, order: [] }),
    roleRunsOfTask: (project, task_id) =>
      selectDocuments(rows, project, {
        table: 'role_run',
        document: 'record',
        where: { task_id },
        order: ['created_at', 'id'],
        limit: MANY,
      }),
  };
}

/** The latest revision of each, in the order in which they were first made. */
async function assertionsOfTask(rows: DomainRows, project: string, task_id: string): Promise<Assertion[]> {
  const all = await selectDocuments<Assertion>(rows, project, {
    table: 'assertion',
    document: 'assertion',
    where: { task_id },
    order: ['created_at', 'id', 'revision'],
    limit: MANY,
  });
  const latest = new Map<string, Assertion>();
  for (const assertion of all) {
    const known = latest.get(assertion.assertion_id);
    if (known === undefined || known.revision < assertion.revision) latest.set(assertion.assertion_id, assertion);
  }
  return [...latest.values()];
}

async function sourcesOfTask(
  rows: DomainRows,
  project: string,
  task_id: string,
): ReturnType<ResearchReads['sourcesOfTask']> {
  const links = await rows.select(project, {
    table: 'task_source',
    where: { task_id },
    order: ['created_at', 'source_revision_id'],
    limit: MANY,
  });
  const ids = links.map((row) => row['source_revision_id'] as string);
  if (ids.length === 0) return [];
  const revisions = await rows.select(project, {
    table: 'source_revision',
    where: { id: ids },
    order: [],
    limit: MANY,
  });
  const byId = new Map(revisions.map((row) => [row['id'], row['revision']]));
  return ids.flatMap((id) => (byId.has(id) ? [byId.get(id) as never] : []));
}

export function researchWrites(rows: DomainRows): ResearchWrites {
  return {
    storeSourceRevision: (project, revision) =>
      rows.insertOnce(project, 'source_revision', {
        id: revision.source_revision_id,
        task_id: revision.task_id,
        requested_url: revision.requested_url,
        final_url: revision.final_url,
        parser_version: revision.parser_version,
        content_hash: revision.content_hash,
        retrieved_time: revision.retrieved_time,
        revision: revision as unknown as DomainRow,
      }),
  };
}
