import type { RoleOutput } from '#contracts/actors/role.ts';
import { failure, type Failure } from '#contracts/errors.ts';
import { suffixOf } from '#contracts/ids.ts';
import { settleClarifications, unsettled } from '#contracts/research/clarification-answers.ts';
import type { Clarification } from '#contracts/research/clarification.ts';
import { confirmationReasons } from '#contracts/research/confirmation.ts';
import { EXTRACTIVE } from '#contracts/research/engine.ts';
import { preflightStatically } from '#contracts/research/preflight-rules.ts';
import { FREE_ABILITIES, passes, type Preflight, type PreflightFinding } from '#contracts/research/preflight.ts';
import { changeSpec } from '#contracts/research/spec-change.ts';
import { diffSpecs } from '#contracts/research/spec-diff.ts';
import { completeOrigins } from '#contracts/research/spec-origins.ts';
import type { TaskSpec } from '#contracts/research/task-spec.ts';
import { foldText } from '#contracts/text/segment.ts';
import type { Frozen, Inherited, MailOf, Surroundings, TaskState } from './contract.ts';
import { Decision, taskAddress } from './decision.ts';
import { openAccount } from './money.ts';
import { taskWords } from './words.ts';

const MAX_HISTORY = 20;

/** draft: what is configured is looked at first, because already the compiler may be a model that costs money. */
export function create(state: TaskState): Decision {
  const decision = new Decision(state, { at: state.request.created_time });
  const { request } = state;
  decision.publish('task.created', { title: state.title, mode: request.mode, language: state.language });
  return decision.answer(request);
}

export function lookAround(state: TaskState, event: object, surroundings: Surroundings): Decision {
  return new Decision(state, event).set({ surroundings });
}

/** Asks the requirement compiler; each asking is a run of its own. */
export function compile(state: TaskState, event: object): Decision {
  const decision = new Decision(state, event);
  const { request, surroundings, language } = state;
  const asked = state.history.length + state.repairs;
  const id = `rol_${suffixOf(state.task_id)}-compile${asked === 0 ? '' : `-${asked + 1}`}`;
  const engine = surroundings?.engine ?? EXTRACTIVE;
  openAccount(decision, engine, null);
  return decision.spawnFree('role-run', id, {
    role_run_id: id,
    task_id: state.task_id,
    reply_to: taskAddress(state),
    language,
    engine,
    ask: {
      role: 'requirement_compiler',
      text: request.text,
      mode: request.mode,
      asked_time: request.created_time,
      ...(surroundings === null ? {} : { settings: surroundings.settings }),
    },
  });
}

/** T37: the same question twice is one node of the plan, and none at all is no plan. */
function withoutRepeated(spec: TaskSpec): TaskSpec {
  const seen = new Set<string>();
  const questions = spec.scope.questions.filter((question) => {
    const folded = foldText(question).replace(/\s+/gu, ' ').trim();
    const isNew = folded !== '' && !seen.has(folded);
    seen.add(folded);
    return isNew;
  });
  return questions.length === spec.scope.questions.length ? spec : { ...spec, scope: { ...spec.scope, questions } };
}

export function adoptSpec(state: TaskState, event: object, output: RoleOutput): Decision {
  const decision = new Decision(state, event);
  if (output.role !== 'requirement_compiler') return decision;
  const spec = withoutRepeated(output.task_spec);
  // Without a question nothing is adopted: the compiler is asked once more, then the person.
  if (spec.scope.questions.length === 0) return decision.set({ spec: null, repairs: state.repairs + 1 });
  return newVersion(decision, spec, 'compiler').set({
    // What the compiler says nothing about is its own guess, and is shown as one (TS-02).
    origins: completeOrigins(spec, output.origins, 'inferred_awaiting_confirmation'),
    title: output.title,
    clarifications: state.history.length === 0 ? output.clarifications : [],
  });
}

/** TS-06: a changed plan is a new version; what it has otherwise is kept with it. */
function newVersion(decision: Decision, spec: TaskSpec, by: 'compiler' | 'user'): Decision {
  const { state } = decision;
  const plan_version = state.plan_version + 1;
  const changes = state.spec === null ? [] : diffSpecs(state.spec, spec);
  const version = { plan_version, plan_hash: null, changes, by, compiled_time: decision.at };
  return decision.set({
    spec,
    plan_version,
    plan_hash: null,
    preflight: null,
    reasons: [],
    history: [...state.history, version].slice(-MAX_HISTORY),
  });
}

export const cannotPlan = ({ spec, repairs }: TaskState): boolean => spec === null && repairs > 1;
export const mustRepair = ({ spec }: TaskState): boolean => spec === null;
export const isOpen = ({ clarifications }: TaskState): boolean => clarifications.length > 0;

/** A failure of form: the compiler answered, and its answer could not be used. */
export function noteUnusable(state: TaskState, event: object): Decision {
  return new Decision(state, event).set({ spec: null, repairs: state.repairs + 1 });
}

/** T37: twice no plan came of it, so the person is asked what should be found out. */
export function askForQuestion(state: TaskState, event: object): Decision {
  const words = taskWords(state.language);
  const clarification: Clarification = {
    clarification_id: 'clr_question',
    pointer: '/requirement_text',
    question: words.whatToFind,
    options: [],
    default: state.request.text,
    default_label: words.asWritten,
    default_origin: 'template',
  };
  return ask(state, event, [clarification]);
}

export const askOpen = (state: TaskState, event: object): Decision => ask(state, event, state.clarifications);

/** TS-06: everything that is open, once and together. */
function ask(state: TaskState, event: object, clarifications: readonly Clarification[]): Decision {
  const decision = new Decision(state, event).set({ clarifications: [...clarifications] });
  return decision.tellTurn({ type: 'turn.task_asks', clarifications });
}

/** Every open condition has an answer, or is left to the platform. */
export const settlesAll = (state: TaskState, event: object): boolean =>
  unsettled(state.clarifications, givenIn(event)).length === 0;

function givenIn(event: object) {
  const { answers = [], decide_for_me = false } = event as Partial<MailOf<'task.answer'>>;
  return { answers, decide_for_me };
}

export function refuseUnsettled(state: TaskState, event: object): Decision {
  const open = unsettled(state.clarifications, givenIn(event)).map(({ clarification_id }) => clarification_id);
  const problem = failure('request.invalid', `still open: ${open.join(', ')}`, { details: { open } });
  return new Decision(state, event).refuse(event, problem);
}

/** Answers become values of the contract; a delegation keeps the origin of the default (TS-02). */
export function settleAnswers(state: TaskState, event: MailOf<'task.answer'>): Decision {
  const given = givenIn(event);
  const decision = new Decision(state, event);
  if (state.spec === null) return restate(decision, event);
  const settled = settleClarifications({ spec: state.spec, origins: state.origins ?? {} }, state.clarifications, given);
  if (!settled.ok) return decision.refuse(event, settled.problem);
  const by = (id: string) => (given.answers.some((one) => one.clarification_id === id) ? 'user' : 'platform');
  const answers = state.clarifications.map(({ clarification_id: id, default_label, options }) => {
    const value = given.answers.find((answer) => answer.clarification_id === id)?.value;
    const label = options.find((option) => JSON.stringify(option.value) === JSON.stringify(value))?.label;
    const said = label ?? (typeof value === 'string' ? value : JSON.stringify(value));
    return { clarification_id: id, label: value === undefined ? default_label : said, by: by(id) };
  });
  decision.set({ spec: withoutRepeated(settled.spec), origins: settled.origins, clarifications: [] });
  return decision.tellTurn({ type: 'turn.task_settled', answers }).answer(event);
}

/** What could not be planned is said in other words, and compiled once more. */
function restate(decision: Decision, event: MailOf<'task.answer'>): Decision {
  const value = event.answers?.[0]?.value;
  const text = typeof value === 'string' && value.trim() !== '' ? value.slice(0, 20_000) : decision.state.request.text;
  decision.set({ request: { ...decision.state.request, text }, clarifications: [], repairs: 0 });
  return decision.answer(event);
}

/** Of a change by a person; nothing is half done. */
export function changeOf(state: TaskState, event: object) {
  const { changes } = event as Partial<MailOf<'task.compile'>>;
  if (changes === undefined || state.spec === null) return null;
  return changeSpec({ spec: state.spec, origins: state.origins ?? {} }, changes as never);
}

export function revise(state: TaskState, event: MailOf<'task.compile'>): Decision {
  const decision = new Decision(state, event).set({ status: 'draft' });
  const changed = changeOf(state, event);
  if (changed?.ok !== true) return decision.answer(event);
  const spec = withoutRepeated(changed.spec);
  return newVersion(decision, spec, 'user').set({ origins: changed.origins, clarifications: [] }).answer(event);
}

export function refuseChange(state: TaskState, event: object): Decision {
  const changed = changeOf(state, event);
  const problem = changed?.ok === false ? changed.problem : failure('spec.invalid', 'the change does not fit');
  return new Decision(state, event).refuse(event, problem);
}

/** ready: the plan is frozen under its hash and was checked without touching the world (TS-05). */
export function freeze(state: TaskState, event: object, frozen: Frozen): Decision {
  const surroundings = frozen.surroundings ?? state.surroundings;
  const engine = surroundings?.engine ?? EXTRACTIVE;
  const decision = new Decision(state, event).set({
    plan_hash: frozen.plan_hash,
    status: 'ready',
    engine,
    surroundings,
    history: state.history.map((version) =>
      version.plan_version === state.plan_version ? { ...version, plan_hash: frozen.plan_hash } : version,
    ),
  });
  check(decision, 'static_only', staticFindings(decision));
  openAccount(decision, engine, state.spec);
  decision.publish('plan.compiled', {
    plan_version: state.plan_version,
    plan_hash: frozen.plan_hash,
    mode: state.spec?.mode,
    questions: state.spec?.scope.questions,
    limits: state.spec?.execution,
    preflight: 'static_only',
    findings: decision.state.preflight?.findings.map(({ code, severity }) => ({ code, severity })) ?? [],
    engine,
  });
  return tellPlanned(decision);
}

function staticFindings({ state, at }: Decision): PreflightFinding[] {
  if (state.spec === null) return [];
  return preflightStatically({
    spec: state.spec as never,
    origins: completeOrigins(state.spec, state.origins ?? {}, 'template'),
    abilities: state.surroundings?.abilities ?? FREE_ABILITIES,
    language: state.language,
    at,
  });
}

function check(decision: Decision, level: Preflight['level'], findings: readonly PreflightFinding[]): void {
  const { state } = decision;
  const preflight: Preflight = {
    preflight_id: `pfl_${suffixOf(state.task_id)}-${state.checks + 1}`,
    level,
    plan_version: Math.max(1, state.plan_version),
    findings: [...findings],
    checked_time: decision.at,
  };
  const reasons = state.spec === null ? [] : confirmationReasons(state.spec, state.origins ?? {}, preflight);
  // What a person changed was not what the policy approved.
  const isChanged = state.history.at(-1)?.by === 'user';
  decision.set({ preflight, checks: state.checks + 1, reasons: isChanged ? ['plan_changed', ...reasons] : reasons });
}

export const needsConfirmation = (state: TaskState): boolean => !state.request.auto_start || state.reasons.length > 0;

function tellPlanned(decision: Decision): Decision {
  const { plan_version, plan_hash, preflight, reasons } = decision.state;
  if (plan_hash === null || preflight === null) return decision;
  const needs_confirmation = needsConfirmation(decision.state);
  return decision.tellTurn({
    type: 'turn.task_planned',
    plan_version,
    plan_hash,
    preflight,
    needs_confirmation,
    reasons,
  });
}

export function recheck(state: TaskState, event: object): Decision {
  const decision = new Decision(state, event);
  check(decision, 'static_only', staticFindings(decision));
  return tellPlanned(decision).answer(event);
}

/** A probe was asked for: accepted now, done when the tools have answered. */
export function beginProbe(state: TaskState, event: object): Decision {
  return new Decision(state, event).accept(event);
}

export function adoptProbe(state: TaskState, event: object, found: readonly PreflightFinding[]): Decision {
  const decision = new Decision(state, event);
  check(decision, 'authorized_probe', [...staticFindings(decision), ...found]);
  return tellPlanned(decision).conclude(null);
}

export function noteProbeFailed(state: TaskState, event: object, problem: Failure): Decision {
  return new Decision(state, event).conclude(problem);
}

/** TK-02: exactly this version, this hash and, when it is named, this check. */
export function namesThisPlan(state: TaskState, event: object): boolean {
  const { plan_hash, plan_version, preflight_id } = event as Partial<MailOf<'task.start'>>;
  if (plan_hash !== state.plan_hash || plan_version !== state.plan_version) return false;
  return preflight_id === undefined || preflight_id === state.preflight?.preflight_id;
}

export const passesPreflight = ({ preflight }: TaskState): boolean => preflight === null || passes(preflight);

export function findingOf(state: TaskState): Failure {
  const worst = state.preflight?.findings.find(({ severity }) => severity === 'error');
  const code = worst?.code === 'output.mode_not_delivered' ? 'mode.not_available' : 'spec.invalid';
  return failure(code, worst?.words ?? 'the plan does not pass its preflight', {
    details: { finding: worst?.code ?? null, pointer: worst?.pointer ?? null },
  });
}

export const refuseStart = (state: TaskState, event: object): Decision =>
  new Decision(state, event).refuse(event, findingOf(state));

/** TK-06: what the earlier task found counts for the same question, after it was verified here once more. */
export function inherit(state: TaskState, event: object, inherited: Inherited): Decision {
  const fold = (text: string) => foldText(text).replace(/\s+/gu, ' ').trim();
  const known = new Map(inherited.answers.map(({ question, proposals }) => [fold(question), proposals]));
  const reused = inherited.continuation?.reused ?? [];
  return new Decision(state, event).set({
    continues: inherited.continuation,
    questions: (state.spec?.scope.questions ?? []).map((question) => ({
      question,
      candidates: [],
      assertions: 0,
      sources: 0,
      independent: 0,
      inherited: [...(known.get(fold(question)) ?? [])],
    })),
    reads: reused.map(({ source_revision_id }) => ({ number: 1, source_revision_id })),
    chosen_urls: reused.map(({ url }) => url),
  });
}
