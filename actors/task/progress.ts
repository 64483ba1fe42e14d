import type { RoleOutput } from '#contracts/actors/role.ts';
import type { WorkEnvelope, WorkResult } from '#contracts/actors/work-item.ts';
import type { Failure } from '#contracts/errors.ts';
import { gapOf } from '#contracts/research/evidence.ts';
import type { MailOf, TaskMail, TaskNode, TaskState } from './contract.ts';
import { Decision } from './decision.ts';
import { changeNode, isEnded, ofKind, openNodes } from './graph.ts';
import { advance, extractsByPage, openReads, openVerify, openWrite } from './plan.ts';
import { isPassing } from './passing.ts';
import { isShortOfMoney } from './money.ts';
import { coverageOf } from './view.ts';
import { taskWords } from './words.ts';

type Finished = Extract<TaskMail, { type: 'work.finished' }>;

export function relay(state: TaskState, event: Extract<TaskMail, { type: 'work.progress' }>): Decision {
  const decision = new Decision(state, event);
  for (const { event_type, data } of event.events) decision.publish(event_type, data);
  return decision;
}

const nodeOf = (state: TaskState, workItemId: string): TaskNode | undefined =>
  state.nodes.find((node) => node.work_item_id === workItemId);

/** Takes a branch's envelope into the plan. `quietly` while pausing or writing: nothing new is started. */
export function adoptFinished(state: TaskState, event: Finished, mode: 'advance' | 'quietly'): Decision {
  const decision = new Decision(state, event);
  const node = nodeOf(state, event.work_item_id);
  if (node === undefined) return decision;
  const { envelope } = event;
  changeNode(decision, node.work_item_id, {
    status: envelope.outcome,
    ended_time: decision.at,
    reason: reasonOf(envelope),
    retry_time: null,
  });
  if (envelope.outcome === 'succeeded') adoptResult(decision, node, envelope.result);
  else adoptNothing(decision, node, envelope);
  if (mode === 'advance') advance(decision);
  return decision;
}

/**
 * A branch that ended before the stop and is heard of after it: its result counts for what gets written,
 * but after a stop only closing events are published and nothing new is planned (TK-04).
 */
export function adoptAfterStop(state: TaskState, event: Finished): Decision {
  const decision = new Decision(state, event);
  const node = nodeOf(state, event.work_item_id);
  if (node === undefined) return decision;
  const { envelope } = event;
  changeNode(decision, node.work_item_id, { status: envelope.outcome, reason: reasonOf(envelope) });
  if (envelope.outcome !== 'succeeded') return decision;
  const { result } = envelope;
  if (result.kind === 'read') noteRead(decision, node, result.source_revision_id);
  if (result.kind === 'verify') noteCoverage(decision, result);
  return decision;
}

function noteRead(decision: Decision, node: TaskNode, source_revision_id: string): void {
  decision.set({ reads: [...decision.state.reads, { number: node.number, source_revision_id }] });
}

function noteCoverage(decision: Decision, result: Extract<WorkResult, { kind: 'verify' }>): void {
  changeQuestion(decision, result.question_index, {
    assertions: result.assertion_ids.length,
    sources: result.source_revision_ids.length,
    independent: result.independent ?? 0,
  });
}

function reasonOf(envelope: WorkEnvelope): string | null {
  if (envelope.outcome === 'succeeded') return null;
  return envelope.outcome === 'failed' ? envelope.failure.message : envelope.reason;
}

function adoptResult(decision: Decision, node: TaskNode, result: WorkResult): void {
  switch (result.kind) {
    case 'discover': {
      const index = node.payload.kind === 'discover' ? node.payload.question_index : -1;
      const found = decision.state.spec?.scope.max_candidates ?? result.candidates.length;
      changeQuestion(decision, index, { candidates: result.candidates.slice(0, found) });
      decision.set({ asked: [...decision.state.asked, ...(result.asked ?? [])].slice(-100) });
      return;
    }
    case 'read': {
      noteRead(decision, node, result.source_revision_id);
      const { kind: _kind, final_url: url, ...data } = result;
      decision.publish('source.read', { ...data, url, work_item_id: node.work_item_id });
      return;
    }
    case 'extract':
      changeNode(decision, node.work_item_id, { proposals: result.proposals });
      // An extraction that began before an update has no verification beside it.
      if (
        !extractsByPage(decision.state) &&
        !ofKind(decision.state, 'verify').some(({ needs }) => needs.some(isOf(node)))
      ) {
        openVerify(decision, questionOf(node), result.proposals);
      }
      return;
    case 'verify':
      noteCoverage(decision, result);
      decision.publish('coverage.updated', coverageOf(decision.state));
      return;
    case 'write':
      // T26: a report that asserts nothing is no answer, whatever it cost.
      decision.set({
        answer: {
          markdown: result.markdown,
          citations:
            result.asserting_sentences === 0 || result.markdown.trim() === '' ? [] : (result.citations as never),
        },
      });
      return;
  }
}

function adoptNothing(decision: Decision, node: TaskNode, envelope: WorkEnvelope): void {
  if (node.payload.kind === 'read') {
    decision.publish('source.blocked', {
      url: node.payload.url,
      title: node.payload.title,
      outcome: envelope.outcome,
      reason: reasonOf(envelope),
      work_item_id: node.work_item_id,
    });
  }
  const reason = failureIn(envelope);
  if (reason === null) return;
  if (reason.code === 'budget.refused') decision.set({ exhausted: true });
  if (node.payload.kind !== 'read') decision.set({ problem: { code: reason.code, message: reason.message } });
}

const failureIn = (envelope: WorkEnvelope): Failure | null => {
  if (envelope.outcome === 'failed') return envelope.failure;
  return envelope.outcome === 'blocked' ? (envelope.failure ?? null) : null;
};

const isOf =
  ({ work_item_id }: TaskNode) =>
  (need: TaskNode['needs'][number]): boolean =>
    need.work_item_id === work_item_id;
const questionOf = ({ payload }: TaskNode): number => (payload.kind === 'extract' ? payload.question_index : 0);

function changeQuestion(decision: Decision, index: number, change: Partial<TaskState['questions'][number]>): void {
  const questions = decision.state.questions.map((question, at) =>
    at === index ? { ...question, ...change } : question,
  );
  decision.set({ questions });
}

/** The coordinator chose the pages of this wave. What it skipped as already chosen is no candidate any more. */
export function adoptChoice(state: TaskState, event: object, output: RoleOutput): Decision {
  const decision = new Decision(state, event).set({ choosing: false });
  if (output.role !== 'coordinator') return decision;
  const settled = new Set(output.skipped.filter(({ reason }) => reason.startsWith('already')).map(({ url }) => url));
  // A page that two questions want is read once and belongs to both.
  for (const { url } of output.reads) settled.delete(url);
  decision.set({
    questions: state.questions.map((question) => ({
      ...question,
      // Who wants none of them wants none of them in the next wave either.
      candidates:
        output.reads.length === 0 ? [] : question.candidates.filter((candidate) => !settled.has(candidate.url)),
    })),
  });
  openReads(decision, output.reads);
  advance(decision);
  return decision;
}

export function beginWriting(state: TaskState, event: object): Decision {
  const decision = new Decision(state, event);
  const open = state.questions.filter(({ assertions }) => assertions === 0);
  const blocked = state.nodes.filter(({ kind, status }) => kind === 'read' && status === 'blocked').slice(0, 5);
  const words = taskWords(state.language);
  decision.set({
    gaps: [
      ...open.map(({ question }) => gapOf(question, 'not_found')),
      ...(open.length === 0 ? [] : blocked.map(({ label }) => gapOf(label, 'access_blocked'))),
      // BU-03: that money ended the search is no finding about the world.
      ...(isShortOfMoney(state) && open.length > 0
        ? [{ what: words.moneyGone, reason: 'not_requested' as const }]
        : []),
    ],
  });
  openWrite(decision);
  return decision;
}

/** The writer was refused its money: what is verified is put together without a model (T30). */
export function writeWithoutMoney(state: TaskState, event: object): Decision {
  const words = taskWords(state.language);
  const decision = new Decision(state, event).set({
    gaps: [...state.gaps, { what: words.writtenWithoutModel, reason: 'not_requested' }],
  });
  openWrite(decision);
  return decision;
}

const lastWrite = (state: TaskState): TaskNode | undefined => ofKind(state, 'write').at(-1);

export function isWriterBroke(state: TaskState): boolean {
  const writes = ofKind(state, 'write');
  return writes.length === 1 && writes[0]?.status === 'blocked' && state.problem?.code === 'budget.refused';
}

/** T25: the far end was busy; the same will go well later. */
export const isWriterBusy = (state: TaskState): boolean =>
  lastWrite(state)?.status === 'failed' && state.problem !== null && isPassing(state.problem.code);

export const hasCoverage = (state: TaskState): boolean => state.questions.some(({ assertions }) => assertions > 0);
export const isCovered = (state: TaskState): boolean => state.questions.every(({ assertions }) => assertions > 0);

/** Nothing runs, nothing waits, nobody was asked: the plan has said all it can. */
export function isPlanDone(state: TaskState): boolean {
  return state.nodes.length > 0 && openNodes(state).length === 0 && !state.choosing;
}

/** PL-04: it waits by itself under its own timer; the plan shows until when. */
export function noteWaiting(state: TaskState, event: MailOf<'work.waiting'>): Decision {
  const decision = new Decision(state, event);
  const node = nodeOf(state, event.work_item_id);
  if (node?.status !== 'running') return decision;
  const { retry_time, reason } = event;
  changeNode(decision, event.work_item_id, { status: 'retry_wait', retry_time, reason });
  return decision;
}

export function noteRetrying(state: TaskState, event: MailOf<'work.retrying'>): Decision {
  const decision = new Decision(state, event);
  if (nodeOf(state, event.work_item_id)?.status !== 'retry_wait') return decision;
  changeNode(decision, event.work_item_id, { status: 'running', retry_time: null, reason: null });
  return decision;
}

/** A work item stopped at a safe point; what it had not finished is done again in the next run. */
export function adoptPaused(state: TaskState, event: Extract<TaskMail, { type: 'work.paused' }>): Decision {
  const decision = new Decision(state, event);
  changeNode(decision, event.work_item_id, { status: 'waiting', started_time: null, retry_time: null });
  return decision;
}

/** The contract's time is up: late work is fenced out, what is verified gets written (BU-03). */
export function expire(state: TaskState, event: object): Decision {
  const decision = new Decision(state, event).set({ choosing: false }).moveFence(true);
  for (const node of state.nodes.filter((one) => !isEnded(one))) {
    changeNode(decision, node.work_item_id, {
      status: 'cancelled',
      ended_time: decision.at,
      reason: 'time limit of the contract',
    });
  }
  return decision;
}
