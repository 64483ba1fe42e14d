import type { RoleOutput } from '#contracts/actors/role.ts';
import type { TaskStatus } from '#contracts/actors/task.ts';
import { failure, type Failure } from '#contracts/errors.ts';
import { suffixOf } from '#contracts/ids.ts';
import { EXTRACTIVE } from '#contracts/research/engine.ts';
import { gapOf } from '#contracts/research/evidence.ts';
import type { Probed, TaskMail, TaskState } from './contract.ts';
import { Decision, runId, taskAddress, timeOf } from './decision.ts';
import { changeNode, isEnded, runningNodes } from './graph.ts';
import { closeAccount } from './money.ts';
import { advance, formOf, openPlan } from './plan.ts';
import { taskWords } from './words.ts';

type Command = Extract<TaskMail, { operation_id: string }>;

/** queued: the fence opens and the first wave is handed out. `running` is what a worker's claim makes of it. */
export function enqueue(state: TaskState, event: object, confirmedBy: 'policy' | 'user'): Decision {
  const decision = new Decision(state, event).set({
    status: 'queued',
    run: 1,
    deadline_time: deadlineOf(state, event),
  });
  decision.publish('plan.confirmed', {
    plan_version: state.plan_version,
    plan_hash: state.plan_hash,
    preflight_id: state.preflight?.preflight_id ?? null,
    by: confirmedBy,
  });
  decision.publish('task.queued', { run_id: runId(decision.state) }).moveFence(true);
  openPlan(decision);
  return decision.answer(event);
}

/** The contract's time counts for each run. */
function deadlineOf({ spec }: TaskState, event: object): string | null {
  const begin = Date.parse(timeOf(event));
  return Number.isNaN(begin) ? null : new Date(begin + (spec?.execution.max_duration_ms ?? 900_000)).toISOString();
}

export function beginRun(state: TaskState, event: object): Decision {
  return new Decision(state, event)
    .set({ status: 'running' })
    .publish('run.started', { run_id: runId(state), run: state.run });
}

export function pausing(state: TaskState, event: Command): Decision {
  const decision = new Decision(state, event).set({ status: 'pausing', choosing: false }).publish('task.pausing');
  for (const node of runningNodes(state)) {
    decision.send(`work-item/${node.work_item_id}`, { type: 'work.pause' }, 'operator');
  }
  return decision.answer(event);
}

/** paused: nothing runs any more, and the closed fence keeps it so. What had not ended waits for the next run. */
export function paused(state: TaskState, event: object): Decision {
  const decision = new Decision(state, event).set({ status: 'paused' }).moveFence(false);
  for (const node of runningNodes(state))
    changeNode(decision, node.work_item_id, { status: 'waiting', started_time: null });
  return decision.publish('task.paused', {
    waiting: decision.state.nodes.filter(({ status }) => status === 'waiting').length,
  });
}

/** The report could not be written now, and later it can: everything stays as it is until somebody resumes (T25). */
export function pauseForLater(state: TaskState, event: object): Decision {
  const decision = new Decision(state, event).set({ status: 'paused' }).moveFence(false);
  for (const node of state.nodes.filter(({ kind, status }) => kind === 'write' && status === 'failed')) {
    changeNode(decision, node.work_item_id, { status: 'waiting', started_time: null, ended_time: null, proposals: [] });
  }
  return decision.publish('task.paused', { waiting: 1, problem: state.problem });
}

/** TK-03: accepted; permissions, money, tools and the checkpoint are looked at before anything runs. */
export const beginResume = (state: TaskState, event: Command): Decision => new Decision(state, event).accept(event);

export type ResumeCheck = { readonly check: string; readonly ok: boolean; readonly words: string };

export function checksOf(state: TaskState, probed: Probed): ResumeCheck[] {
  const { findings, missing_sources, engine_problem } = probed;
  const broken = findings.filter(({ severity }) => severity === 'error').map(({ words }) => words);
  const isBroke = state.exhausted && state.answer !== null;
  return [
    {
      check: 'permissions',
      ok: engine_problem === null,
      words: engine_problem ?? 'what the plan was frozen with is still configured',
    },
    {
      check: 'budget',
      ok: !isBroke,
      words: state.exhausted ? 'used up; what is there is written up' : 'the limit is not reached',
    },
    { check: 'tools', ok: broken.length === 0, words: broken.join(' ') || 'they answer' },
    {
      check: 'checkpoint',
      ok: missing_sources.length === 0,
      words:
        missing_sources.length === 0 ? 'everything that was read is there' : `missing: ${missing_sources.join(', ')}`,
    },
  ];
}

export const mayResume = (state: TaskState, probed: Probed): boolean => checksOf(state, probed).every(({ ok }) => ok);

/** resume: same task, new run, new fence; finished nodes keep their results. */
export function resume(state: TaskState, event: object, probed: Probed): Decision {
  const decision = new Decision(state, event).set({
    status: 'running',
    run: state.run + 1,
    deadline_time: deadlineOf(state, event),
    problem: null,
  });
  decision.moveFence(true);
  decision.publish('run.resumed', {
    run_id: runId(decision.state),
    run: decision.state.run,
    checks: checksOf(state, probed),
  });
  if (state.answer === null) advance(decision);
  return decision.conclude(null);
}

/** It stays paused, and the operation says what is in the way. */
export function refuseResume(state: TaskState, event: object, probed: Probed): Decision {
  const failed = checksOf(state, probed).filter(({ ok }) => !ok);
  const words = failed.map(({ check, words: why }) => `${check}: ${why}`).join('; ');
  return noteResumeFailed(state, event, failure('request.precondition_failed', words));
}

export function noteResumeFailed(state: TaskState, event: object, problem: Failure): Decision {
  return new Decision(state, event)
    .set({ problem: { code: problem.code, message: problem.message } })
    .conclude(problem);
}

/** TK-04: state, generation and closed commit window in one commit; its event is the moment of the stop. */
export function stopping(state: TaskState, event: Command): Decision {
  const decision = new Decision(state, event).set({ status: 'stopping', choosing: false }).moveFence(false);
  for (const node of state.nodes.filter((one) => !isEnded(one))) {
    changeNode(decision, node.work_item_id, { status: 'cancelled', ended_time: decision.at });
  }
  closeAccount(decision).conclude(null);
  return decision.publish('task.stopping', { cancel_generation: String(decision.state.generation) }).answer(event);
}

/** After a stop: what was committed before is composed into a report, outside of the closed fence. */
export function composeStopped(state: TaskState, event: object): Decision {
  const decision = new Decision(state, event);
  const open = state.questions.filter(({ assertions }) => assertions === 0);
  decision.set({
    gaps: [...state.gaps, ...open.map(({ question }) => gapOf(question, 'not_found'))],
  });
  const id = `rol_${suffixOf(state.task_id)}-${state.run}-stop`;
  return decision.spawnFree('role-run', id, {
    role_run_id: id,
    task_id: state.task_id,
    reply_to: taskAddress(state),
    language: state.language,
    // The account is closed by the stop, so what was committed is put together without a paid call.
    engine: EXTRACTIVE,
    ask: {
      role: 'report_writer',
      title: state.title,
      questions: state.questions.map(({ question }) => question),
      form: formOf(state),
      gaps: decision.state.gaps,
    },
  });
}

export function adoptStoppedAnswer(state: TaskState, event: object, output: RoleOutput): Decision {
  const decision = new Decision(state, event);
  if (output.role !== 'report_writer') return decision;
  const { markdown, citations } = output.answer;
  return decision
    .set({ answer: { markdown, citations } })
    .write('answer', { id: state.task_id, answer: output.answer });
}

const artifactId = (state: TaskState): string => `art_${suffixOf(state.task_id)}-1`;

/** Sealing stands outside of the fence: a stop keeps what was committed before it. */
export function seal(state: TaskState, event: object, endsAs: TaskStatus): Decision {
  const decision = new Decision(state, event);
  const artifact_id = artifactId(state);
  decision.set({ artifacts: [{ artifact_id, revision: 1, title: state.title, status: 'sealing' }] });
  return decision.spawnFree('artifact', artifact_id, {
    artifact_id,
    task_id: state.task_id,
    reply_to: taskAddress(state),
    title: state.title,
    question: state.request.text,
    language: state.language,
    plan_hash: state.plan_hash,
    task_status: endsAs,
    created_time: decision.at,
  });
}

export function adoptSealed(state: TaskState, event: Extract<TaskMail, { type: 'artifact.sealed' }>): Decision {
  const decision = new Decision(state, event);
  decision.set({ artifacts: state.artifacts.map((artifact) => ({ ...artifact, status: 'sealed' as const })) });
  return decision.publish('artifact.sealed', {
    artifact_id: event.artifact_id,
    revision: event.revision,
    manifest_sha256: event.manifest_sha256,
    files: event.files.map(({ name, bytes }) => ({ name, bytes })),
  });
}

export type Ending = Extract<TaskStatus, 'stopped' | 'completed' | 'partial_failed' | 'failed' | 'cancelled'>;

/** The last transition: state, closing event, and the report to the conversation, in one commit. */
export function end(state: TaskState, event: object, status: Ending): Decision {
  const decision = new Decision(state, event);
  decision.set({ status, ended_time: decision.at });
  decision.set({ artifacts: state.artifacts.filter((artifact) => artifact.status === 'sealed') });
  // There is no event of its own for a task that was called off before it started; whoever watches it must still hear of its end.
  const type = status === 'cancelled' ? 'task.stopped' : (`task.${status}` as const);
  decision.publish(type, { status, gaps: state.gaps, artifacts: decision.state.artifacts, problem: state.problem });
  if (status !== 'stopped') closeAccount(decision);
  tellConversation(decision);
  return decision.answer(event);
}

function tellConversation(decision: Decision): void {
  const { state } = decision;
  const { language } = state;
  const artifact = state.artifacts[0];
  decision.tellTurn({
    type: 'turn.task_ended',
    status: state.status,
    markdown:
      state.answer !== null && state.answer.citations.length > 0
        ? state.answer.markdown
        : taskWords(language).ending(state),
    citations: state.answer?.citations ?? [],
    gaps: state.gaps,
    artifact:
      artifact === undefined
        ? null
        : { artifact_id: artifact.artifact_id, revision: artifact.revision, title: artifact.title },
  });
}

export function noteProblem(state: TaskState, event: object, problem: Pick<Failure, 'code' | 'message'>): Decision {
  return new Decision(state, event).set({ problem: { code: problem.code, message: problem.message } });
}

/** A late child hit the closed fence: its output went to quarantine and changes nothing here. */
export function noteQuarantine(state: TaskState, event: Extract<TaskMail, { type: 'child.fenced' }>): Decision {
  return new Decision(state, event).publish('result.quarantined', { address: event.address });
}

/** T5. A problem that came earlier, such as a search that could not be made, stays the reason. */
export function noteNothingFound(state: TaskState, event: object): Decision {
  const decision = new Decision(state, event);
  const gaps = state.questions.map(({ question }) => gapOf(question, 'not_found'));
  const problem = state.problem ?? {
    code: 'evidence.insufficient',
    message: 'no passage that was read answers the question',
  };
  return decision.set({ problem, gaps: gaps.length > 0 ? gaps : state.gaps });
}
