import type { RoleTask } from '#contracts/actors/role.ts';
import type { TaskEventType } from '#contracts/actors/task.ts';
import type { WorkEnvelope } from '#contracts/actors/work-item.ts';
import { assertNever } from '#contracts/assert-never.ts';
import type { ActorAddress } from '#contracts/envelope.ts';
import type { FailureCode } from '#contracts/errors.ts';
import { suffixOf } from '#contracts/ids.ts';
import { send, spawn, write, type Request } from '#runtime/core/requests.ts';
import type { CompareInput, WorkItemMail, WorkItemState } from './contract.ts';
import { lookupsOf, searchCallId } from './lookups.ts';

const MAX_PAGE_ATTEMPTS = 2;

export const taskAddress = (state: WorkItemState): ActorAddress => state.reply_to as ActorAddress;
export const ownAddress = (state: WorkItemState): ActorAddress => `work-item/${state.work_item_id}`;

export function claim(state: WorkItemState): Request[] {
  return [send(taskAddress(state), { type: 'work.claimed', work_item_id: state.work_item_id, run_id: state.run_id })];
}

export function askRole(state: WorkItemState): Request[] {
  const roleRunId = `rol_${suffixOf(state.work_item_id)}-${state.asked + 1}`;
  return [
    spawn('role-run', roleRunId, {
      role_run_id: roleRunId,
      task_id: state.task_id,
      reply_to: ownAddress(state),
      language: state.language,
      ask: roleTaskOf(state),
      ...(state.engine === undefined ? {} : { engine: state.engine }),
    }),
  ];
}

function roleTaskOf({ payload, observation }: WorkItemState): RoleTask {
  switch (payload.kind) {
    case 'discover':
      return { role: 'search_planner', question: payload.question, allowed_domains: payload.allowed_domains };
    case 'read':
      return { role: 'browser_researcher', url: payload.url, observation: observation && withoutIds(observation) };
    case 'extract':
      return {
        role: 'extractor',
        question: payload.question,
        form: payload.form,
        source_revision_ids: payload.source_revision_ids,
      };
    case 'verify':
      return { role: 'verifier', question: payload.question, proposals: payload.proposals };
    case 'write':
      return {
        role: 'report_writer',
        title: payload.title,
        questions: payload.questions,
        form: payload.form,
        gaps: payload.gaps,
      };
    default:
      return assertNever(payload, 'work payload');
  }
}

export function compareInput({ task_id, payload, verified }: WorkItemState): CompareInput {
  const accepted = verified?.role === 'verifier' ? verified.accepted.map(({ proposal }) => proposal) : [];
  const read = payload.kind === 'verify' ? (payload.read_revision_ids ?? []) : [];
  const cited = accepted.map(({ source_revision_id }) => source_revision_id);
  return { task_id, accepted, source_revision_ids: [...new Set([...cited, ...read])] };
}

function withoutIds({ final_url, title, http_status, content_type }: NonNullable<WorkItemState['observation']>) {
  return { final_url, title, http_status, content_type };
}

function browserAction(event: WorkItemMail) {
  return event.type === 'role.finished' && event.output.role === 'browser_researcher' ? event.output.action : null;
}

/** The proposal may only open the address this item was made for. */
export function mayNavigate(state: WorkItemState, event: WorkItemMail): boolean {
  const action = browserAction(event);
  return (
    action?.kind === 'navigate' &&
    state.payload.kind === 'read' &&
    action.url === state.payload.url &&
    state.observation === null
  );
}

export function mayRead(state: WorkItemState, event: WorkItemMail): boolean {
  return browserAction(event)?.kind === 'read' && state.payload.kind === 'read' && state.observation !== null;
}

export function isMine(state: WorkItemState, event: WorkItemMail): boolean {
  return 'session_id' in event && event.session_id === state.session_id;
}

const TRY_AGAIN = new Set<FailureCode>([
  'browser.crashed',
  'browser.timeout',
  'browser.unavailable',
  'browser.not_dispatched',
  'effect.unknown',
  'effect.timeout',
]);

/** Opening a page only reads it, so an unknown outcome is looked at again in a new context, under a new action. */
export function isRetryablePage(state: WorkItemState, event: WorkItemMail): boolean {
  if (event.type !== 'context.failed' || state.pause_requested) return false;
  return state.attempt < MAX_PAGE_ATTEMPTS && TRY_AGAIN.has(event.failure.code);
}

/** WI4: the proposal would start something new after a pause was asked for. */
export function startsSomething(event: WorkItemMail): boolean {
  return (
    event.type === 'role.finished' &&
    (event.output.role === 'search_planner' || (browserAction(event)?.kind ?? 'finish') !== 'finish')
  );
}

const UNFINISHED: WorkEnvelope = {
  outcome: 'failed',
  failure: { code: 'actor.defect', message: 'the work item ended without a result', retry: { kind: 'never' } },
};

export function finish(state: WorkItemState): Request[] {
  const envelope = state.envelope ?? UNFINISHED;
  return [
    ...recordItem(state, envelope.outcome),
    ...reportUnendedSearches(state),
    send(taskAddress(state), { type: 'work.finished', work_item_id: state.work_item_id, envelope }),
  ];
}

/** WS-05: an item that was shown as started ends, also when its search was cut off and brought no record of itself. */
function reportUnendedSearches(state: WorkItemState): Request[] {
  const { envelope, payload, work_item_id } = state;
  if (payload.kind !== 'discover' || envelope?.outcome !== 'failed') return [];
  if (!envelope.failure.code.startsWith('effect.')) return [];
  return report(
    state,
    lookupsOf(state.briefs, payload).fresh.map(({ number }) => ({
      event_type: 'search.completed',
      data: {
        call_id: searchCallId(work_item_id, number),
        work_item_id,
        outcome: 'failed',
        problem: envelope.failure.code,
        queries: [],
        pages: [],
      },
    })),
  );
}

export function reportPaused(state: WorkItemState): Request[] {
  return [
    ...recordItem(state, 'paused'),
    send(taskAddress(state), { type: 'work.paused', work_item_id: state.work_item_id }),
  ];
}

function recordItem(state: WorkItemState, status: string): Request[] {
  return [
    write('work_item', {
      id: state.work_item_id,
      task_id: state.task_id,
      run_id: state.run_id,
      kind: state.payload.kind,
      status,
      view: { attempt: state.attempt, envelope: state.envelope?.outcome ?? null },
    }),
  ];
}

export type Progress = { readonly event_type: TaskEventType; readonly data: Readonly<Record<string, unknown>> };

/** Only the task appends to its event stream; an item tells it what happened. */
export function report(state: WorkItemState, events: readonly Progress[]): Request[] {
  if (events.length === 0) return [];
  return [send(taskAddress(state), { type: 'work.progress', work_item_id: state.work_item_id, events })];
}
