import type { ArtifactView } from '#contracts/http/research.ts';
import { write, type Request } from '#runtime/core/requests.ts';
import type { ArtifactState } from './contract.ts';

export function viewArtifact(state: ArtifactState): ArtifactView {
  return {
    artifact_id: state.artifact_id,
    task_id: state.task_id,
    revision: state.revision,
    kind: 'report',
    title: state.title,
    status: state.sealed === null ? 'sealing' : 'sealed',
    report_status: state.sealed === null ? 'draft' : 'ready',
    // Every quote was compared with its page before sealing; no person has looked at it.
    review_status: state.sealed === null ? 'unreviewed' : 'machine_checked',
    manifest_sha256: state.sealed?.manifest_sha256 ?? null,
    files: state.sealed?.files ?? [],
    created_time: state.created_time,
  };
}

export function recordArtifact(state: ArtifactState): Request[] {
  const view = viewArtifact(state);
  return [write('artifact', { id: state.artifact_id, task_id: state.task_id, status: view.status, view })];
}
