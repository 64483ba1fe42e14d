import type { ArtifactReads, OperationReads } from '#contracts/ports/reads.ts';
import type { OperationView } from '#contracts/http/tasks.ts';
import { selectDocuments, selectFirst, type DomainRows } from './domain-rows.ts';

export function artifactReads(rows: DomainRows): ArtifactReads {
  return {
    find: (project, id) =>
      selectFirst(rows, project, { table: 'artifact', document: 'view', where: { id }, order: [] }),
    list: (project, limit) =>
      selectDocuments(rows, project, {
        table: 'artifact',
        document: 'view',
        where: {},
        order: ['-created_at', '-id'],
        limit,
      }),
  };
}

export function operationReads(rows: DomainRows): OperationReads {
  return {
    async find(project, id) {
      const [row] = await rows.select(project, { table: 'operation', where: { id }, order: [], limit: 1 });
      if (row === undefined) return null;
      const { result, problem } = row;
      return {
        operation_id: id,
        status: row['status'] as OperationView['status'],
        ...(result === null || result === undefined ? {} : { result: result as OperationView['result'] }),
        ...(problem === null || problem === undefined ? {} : { problem: problem as OperationView['problem'] }),
      };
    },
  };
}
