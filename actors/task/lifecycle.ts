import type { RoleOutput } from '#contracts/actors/role.ts';
import type { TaskStatus } from '#contracts/actors/task.ts';
import type { ActorAddress } from '#contracts/envelope.ts';
import type { Failure } from '#contracts/errors.ts';
import { suffixOf } from '#contracts/ids.ts';
import type { TaskMail, TaskState } from './contract.ts';
import { Decision, runId, taskAddress } from './decision.ts';
import { advance, changeNode, openPlan, runningNodes } from './plan.ts';
import { taskWords } from './words.ts';

type Command = Extract<TaskMail, { operation_id: string }>;

/** draft: ask the requirement compiler. */
export function create(state: TaskState): Decision {
  const decision = new Decision(state, { at: state.request.created_time });
  const { request } = state;
  const id = `rol_${suffixOf(state.task_id)}-compile`;
  decision.publish('task.created', { title: state.title, mode: request.mode, language: state.language });
  decision.spawnFree('role-run', id, {
    role_run_id: id,
    task_id: state.task_id,
    reply_to: taskAddress(state),
    language: state.language,
    ask: { role: 'requirement_compiler', text: request.text, mode: request.mode, asked_time: request.created_time },
  });
  return decision.answer(request);
}

export function adoptSpec(state: TaskState, event: object, output: RoleOutput): Decision {
  const decision = new Decision(state, event);
  if (output.role !== 'requirement_compiler') return decision;
  return decision.set({
    spec: output.task_spec,
    origins: output.origins,
    title: output.title,
    plan_version: state.plan_version + 1,
  });
}

/** ready: the plan is frozen under its hash. */
export function freeze(state: TaskState, event: object, planHash: string): Decision {
  const decision = new Decision(state, event).set({ plan_hash: planHash, status: 'ready' });
  return decision.publish('plan.compiled', {
    plan_version: state.plan_version,
    plan_hash: planHash,
    mode: state.spec?.mode,
    questions: state.spec?.scope.questions,
    limits: state.spec?.execution,
    preflight: 'static_only',
  });
}

/** queued: the fence opens and the first wave is handed out. `running` is what a worker's claim makes of it. */
export function enqueue(state: TaskState, event: object, confirmedBy: 'policy' | 'user'): Decision {
  const decision = new Decision(state, event).set({ status: 'queued', run: 1 });
  decision.publish('plan.confirmed', { plan_version: state.plan_version, plan_hash: state.plan_hash, by: confirmedBy });
  decision.publish('task.queued', { run_id: runId(decision.state) }).moveFence(true);
  openPlan(decision);
  return decision.answer(event);
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

/** resume: same task, new run, new fence; finished nodes keep their results. */
export function resume(state: TaskState, event: Command): Decision {
  const decision = new Decision(state, event).set({ status: 'running', run: state.run + 1 }).moveFence(true);
  decision.publish('run.resumed', { run_id: runId(decision.state), run: decision.state.run });
  if (state.answer === null) advance(decision);
  return decision.answer(event);
}

/** TK-04: state, generation and closed commit window in one commit; its event is the moment of the stop. */
export function stopping(state: TaskState, event: Command): Decision {
  const decision = new Decision(state, event).set({ status: 'stopping', choosing: false }).moveFence(false);
  for (const node of state.nodes.filter(({ status }) => status === 'running' || status === 'waiting')) {
    changeNode(decision, node.work_item_id, { status: 'cancelled', ended_time: decision.at });
  }
  return decision.publish('task.stopping', { cancel_generation: String(decision.state.generation) }).answer(event);
}

/** After a stop: what was committed before is composed into a report, outside of the closed fence. */
export function composeStopped(state: TaskState, event: object): Decision {
  const decision = new Decision(state, event);
  const open = state.questions.filter(({ assertions }) => assertions === 0);
  decision.set({
    gaps: [...state.gaps, ...open.map(({ question }) => ({ what: question, reason: 'not_found' as const }))],
  });
  const id = `rol_${suffixOf(state.task_id)}-${state.run}-stop`;
  return decision.spawnFree('role-run', id, {
    role_run_id: id,
    task_id: state.task_id,
    reply_to: taskAddress(state),
    language: state.language,
    ask: {
      role: 'report_writer',
      title: state.title,
      questions: state.questions.map(({ question }) => question),
      form: (state.spec?.output.form ?? 'short_answer') === 'short_answer' ? 'short_answer' : 'report',
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

type Ending = Extract<TaskStatus, 'stopped' | 'completed' | 'partial_failed' | 'failed' | 'cancelled'>;

/** The last transition: state, closing event, and the report to the conversation, in one commit. */
export function end(state: TaskState, event: object, status: Ending): Decision {
  const decision = new Decision(state, event);
  decision.set({ status, ended_time: decision.at });
  decision.set({ artifacts: state.artifacts.filter((artifact) => artifact.status === 'sealed') });
  // There is no event of its own for a task that was called off before it started; whoever watches it must still hear of its end.
  const type = status === 'cancelled' ? 'task.stopped' : (`task.${status}` as const);
  decision.publish(type, { status, gaps: state.gaps, artifacts: decision.state.artifacts, problem: state.problem });
  tellConversation(decision);
  return decision.answer(event);
}

function tellConversation(decision: Decision): void {
  const { state } = decision;
  const { conversation_id, turn_id } = state.request;
  const { language } = state;
  if (conversation_id === null || turn_id === null) return;
  const artifact = state.artifacts[0];
  decision.send(`conversation/${conversation_id}` as ActorAddress, {
    type: 'turn.task_ended',
    task_id: state.task_id,
    turn_id,
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
  const gaps = state.questions.map(({ question }) => ({ what: question, reason: 'not_found' as const }));
  const problem = state.problem ?? {
    code: 'evidence.insufficient',
    message: 'no passage that was read answers the question',
  };
  return decision.set({ problem, gaps: gaps.length > 0 ? gaps : state.gaps });
}
