import type { PaidCallInput, PaidReport } from '#contracts/actors/paid-call.ts';
import type { RoleOutput, RoleRunRecord } from '#contracts/actors/role.ts';
import type { ActorAddress } from '#contracts/envelope.ts';
import { failure, type Failure } from '#contracts/errors.ts';
import { suffixOf } from '#contracts/ids.ts';
import { send, spawn, write, type Request } from '#runtime/core/requests.ts';
import type { CallOrder, RoleRunContext, RoleRunEvent } from './role-contract.ts';

const ownAddress = (run: RoleRunContext): ActorAddress => `role-run/${run.role_run_id}`;

/** Of the call about to be made. Built on the run's id and a number, so that a repeated step names the same call. */
const nextCallId = (run: RoleRunContext): string => `pay_${suffixOf(run.role_run_id)}-${run.calls + 1}`;
const lastCallId = (run: RoleRunContext): string => `pay_${suffixOf(run.role_run_id)}-${run.calls}`;

/** The money of a call is settled whatever happens to the run, so the paid call requires no fence; it looks at the task's itself. */
export function orderPaidCall(run: RoleRunContext, order: CallOrder): Request[] {
  const id = nextCallId(run);
  const { role } = run.ask;
  const input: PaidCallInput = {
    paid_call_id: id,
    task_id: run.task_id,
    role,
    purpose: role === 'report_writer' ? 'write_up' : 'work',
    reply_to: ownAddress(run),
    fence: order.fence,
    limiter: {
      resource: `model.${order.profile}`,
      limits: order.limits,
      party: run.task_id,
      wait_ms: order.limits.wait_ms,
      tokens: tokensOf(order),
    },
    reserve: order.reserve,
    call: {
      kind: 'model',
      profile: order.profile,
      profile_version: order.profile_version,
      request: order.request,
      timeout_ms: order.timeout_ms,
    },
  };
  return [spawn('paid-call', id, input, { fence: null })];
}

/** About what the call takes of a rate by tokens: four characters of the request in one, and the whole output. */
function tokensOf({ request }: CallOrder): number {
  const texts = request.messages.flatMap(({ content }) =>
    content.map((part) => ('text' in part ? part.text.length : 0)),
  );
  return Math.ceil(texts.reduce((sum, length) => sum + length, 0) / 4) + request.max_output_tokens;
}

/** Answers of earlier calls, and of none, change nothing. */
export function isOfLastCall(run: RoleRunContext, event: RoleRunEvent): boolean {
  return 'paid_call_id' in event && event.paid_call_id === lastCallId(run);
}

export function answerOf(event: PaidReport): RoleRunContext['answer'] {
  if (event.type !== 'paid.finished' || event.result.kind !== 'model') return null;
  const { structured, text } = event.result.result;
  return { value: structured, text: text.slice(0, MAX_KEPT_CHARS) };
}

/** Enough to show a model what it answered. */
const MAX_KEPT_CHARS = 6000;

/** The answer came and is of no use: asking again with the reason is a repair, not a repetition. */
export function mayRepair(event: RoleRunEvent): boolean {
  return event.type === 'paid.failed' && event.failure.code === 'model.response_invalid';
}

export function failureOfCall(event: RoleRunEvent): Failure {
  if (event.type === 'paid.failed') return event.failure;
  if (event.type !== 'paid.refused') return failure('effect.failed', 'the call ended without an answer of a model');
  const { reason, message } = event;
  switch (reason) {
    case 'deadline':
    case 'queue_full':
      return failure('model.rate_limited', message, { retry: { kind: 'backoff' }, details: { reason } });
    case 'too_large':
      return failure('model.context_overflow', message, { details: { reason } });
    case 'cancelled':
      return failure('model.aborted', message, { details: { reason } });
    default:
      return failure('budget.refused', message, { details: { reason } });
  }
}

export function reportFinished(run: RoleRunContext, output: RoleOutput): Request[] {
  const notes = run.notes.length === 0 ? {} : { notes: run.notes };
  const engine = run.engine === undefined ? {} : { engine: run.engine };
  return [
    record(run, 'finished', null),
    send(run.reply_to as ActorAddress, {
      type: 'role.finished',
      role_run_id: run.role_run_id,
      output,
      ...engine,
      ...notes,
    }),
  ];
}

export function reportFailed(run: RoleRunContext, reason: Failure): Request[] {
  return [
    record(run, 'failed', reason),
    send(run.reply_to as ActorAddress, { type: 'role.failed', role_run_id: run.role_run_id, failure: reason }),
  ];
}

function record(run: RoleRunContext, status: RoleRunRecord['status'], reason: Failure | null): Request {
  const { role_run_id, task_id, versions, calls, costs, pack, notes } = run;
  const { role } = run.ask;
  const row: RoleRunRecord = {
    role_run_id,
    task_id,
    role,
    status,
    engine: run.engine ?? null,
    versions,
    calls,
    costs,
    pack,
    notes,
    failure: reason,
  };
  return write('role_run', { id: role_run_id, task_id, role, status, record: row });
}
