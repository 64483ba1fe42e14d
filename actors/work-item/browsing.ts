import { suffixOf } from '#contracts/ids.ts';
import { send, spawn, type Request } from '#runtime/core/requests.ts';
import type { WorkItemState } from './contract.ts';
import { ownAddress } from './rules.ts';

/** Of the attempt about to be made. */
export function sessionId(state: WorkItemState): string {
  return `ses_${suffixOf(state.work_item_id)}-${state.attempt + 1}`;
}

export function openContext(state: WorkItemState): Request[] {
  if (state.payload.kind !== 'read') return [];
  const id = sessionId(state);
  return [
    spawn('browser-context', id, {
      session_id: id,
      task_id: state.task_id,
      owner: ownAddress(state),
      locale: state.language,
    }),
    send(`browser-context/${id}`, { type: 'context.navigate', action_id: `${id}-go`, url: state.payload.url }),
  ];
}

export function readContext(state: WorkItemState): Request[] {
  if (state.session_id === null) return [];
  return [send(`browser-context/${state.session_id}`, { type: 'context.read', action_id: `${state.session_id}-read` })];
}

export function closeContext(state: WorkItemState): Request[] {
  if (state.session_id === null) return [];
  return [send(`browser-context/${state.session_id}`, { type: 'context.close' })];
}
