import type { Candidate, Proposal } from '#contracts/actors/role.ts';
import type { WorkPayload } from '#contracts/actors/work-item.ts';
import { suffixOf } from '#contracts/ids.ts';
import type { TaskNode, TaskState } from './contract.ts';
import { runId, taskAddress, type Decision } from './decision.ts';

/** Pages opened per wave: few for an answer in seconds, more where a report was asked for. */
const PAGES_PER_WAVE = { short_answer: 4, report: 8 } as const;
/** Sources handed to one extraction; more would only dilute its ranking. */
const MAX_SOURCES_PER_EXTRACT = 16;

const ended = (node: TaskNode): boolean => node.status !== 'waiting' && node.status !== 'running';
const ofKind = (state: TaskState, kind: TaskNode['kind']) => state.nodes.filter((node) => node.kind === kind);

export const runningNodes = (state: TaskState): TaskNode[] => state.nodes.filter((node) => node.status === 'running');
const maxParallel = (state: TaskState): number => state.spec?.execution.max_parallel ?? 1;
/** How answers are worded; rows of a data set are worded like a report. */
const formOf = (state: TaskState) =>
  (state.spec?.output.form ?? 'short_answer') === 'short_answer' ? 'short_answer' : 'report';

/** The first wave: one discovery per question; known addresses are read without one (PL-01). */
export function openPlan(decision: Decision): void {
  const { spec } = decision.state;
  if (spec === null) return;
  decision.set({
    wave: 1,
    questions: spec.scope.questions.map((question) => ({ question, candidates: [], assertions: 0, sources: 0 })),
  });
  if (spec.scope.known_urls.length > 0) {
    openReads(
      decision,
      spec.scope.known_urls.slice(0, spec.execution.max_pages).map((url) => ({ url, title: url, snippet: '' })),
    );
  } else {
    spec.scope.questions.forEach((question, question_index) => {
      addNode(decision, question, [], {
        kind: 'discover',
        question,
        question_index,
        allowed_domains: spec.scope.allowed_domains,
      });
    });
  }
  startWaiting(decision);
}

function addNode(decision: Decision, label: string, needs: TaskNode['needs'], payload: WorkPayload): TaskNode {
  const { state } = decision;
  const number = state.nodes.length + 1;
  const node: TaskNode = {
    number,
    work_item_id: nodeId(state, number),
    kind: payload.kind,
    label: label.slice(0, 300),
    wave: state.wave,
    needs,
    status: 'waiting',
    started_time: null,
    ended_time: null,
    reason: null,
    payload,
  };
  decision.set({ nodes: [...state.nodes, node] });
  return node;
}

const nodeId = (state: TaskState, number: number): string => `wrk_${suffixOf(state.task_id)}-${state.run}-${number}`;

export function changeNode(decision: Decision, workItemId: string, change: Partial<TaskNode>): void {
  const nodes = decision.state.nodes.map((node) => (node.work_item_id === workItemId ? { ...node, ...change } : node));
  decision.set({ nodes });
}

/** Starts waiting nodes whose needs have ended, up to the limit of the contract. */
export function startWaiting(decision: Decision): void {
  for (const node of decision.state.nodes.filter(({ status }) => status === 'waiting')) {
    if (runningNodes(decision.state).length >= maxParallel(decision.state)) return;
    const needed = decision.state.nodes.filter((other) =>
      node.needs.some((need) => need.work_item_id === other.work_item_id),
    );
    if (!needed.every(ended)) continue;
    const { state } = decision;
    const id = nodeId(state, node.number);
    decision.set({ nodes: renamed(state.nodes, node.work_item_id, id) });
    changeNode(decision, id, { status: 'running', started_time: decision.at });
    decision.spawnFenced('work-item', id, {
      work_item_id: id,
      task_id: state.task_id,
      run_id: runId(state),
      reply_to: taskAddress(state),
      language: state.language,
      payload: node.payload,
    });
  }
}

/** A node that is started again in a later run is a new work item; edges follow it. */
function renamed(nodes: readonly TaskNode[], from: string, to: string): TaskNode[] {
  return nodes.map((node) => ({
    ...node,
    work_item_id: node.work_item_id === from ? to : node.work_item_id,
    needs: node.needs.map((need) => (need.work_item_id === from ? { ...need, work_item_id: to } : need)),
  }));
}

/** Moves the plan on after something ended. Returns `true` when there is nothing left to do but write. */
export function advance(decision: Decision): boolean {
  const before = () => decision.state;
  if (before().choosing) return false;
  startWaiting(decision);
  if (before().nodes.some((node) => !ended(node))) return false;
  if (needsChoice(before())) return !askCoordinator(decision);
  if (openExtracts(decision)) return false;
  return !openNextWave(decision);
}

/** Best ranked first; of many, the later waves', which were opened because the earlier ones did not answer. */
function sourcesInOrder(state: TaskState): string[] {
  const ordered = [...state.reads].sort((a, b) => a.number - b.number);
  return ordered.slice(-MAX_SOURCES_PER_EXTRACT).map(({ source_revision_id }) => source_revision_id);
}

function hasExtractsOfWave(state: TaskState): boolean {
  return ofKind(state, 'extract').some((node) => node.wave === state.wave);
}

function needsChoice(state: TaskState): boolean {
  const hasReads = ofKind(state, 'read').some((node) => node.wave === state.wave);
  return !hasReads && !hasExtractsOfWave(state) && unread(state).some((list) => list.candidates.length > 0);
}

function unread(state: TaskState): { question_index: number; candidates: Candidate[] }[] {
  return state.questions
    .map((question, question_index) => ({ question, question_index }))
    .filter(({ question }) => question.assertions === 0)
    .map(({ question, question_index }) => ({
      question_index,
      candidates: question.candidates.filter((candidate) => !state.chosen_urls.includes(candidate.url)),
    }));
}

const pagesLeft = (state: TaskState): number =>
  Math.max(0, (state.spec?.execution.max_pages ?? 0) - state.chosen_urls.length);

function askCoordinator(decision: Decision): boolean {
  const { state } = decision;
  const maxPages = Math.min(PAGES_PER_WAVE[formOf(state)], pagesLeft(state));
  if (maxPages === 0) return false;
  const id = `rol_${suffixOf(state.task_id)}-${state.run}-choose-${state.wave}`;
  decision.set({ choosing: true }).spawnFenced('role-run', id, {
    role_run_id: id,
    task_id: state.task_id,
    reply_to: taskAddress(state),
    language: state.language,
    ask: { role: 'coordinator', candidates: unread(state), already_read: state.chosen_urls, max_pages: maxPages },
  });
  return true;
}

/** Reading nodes for the chosen pages; the event names them, so that people see what is queued. */
export function openReads(decision: Decision, pages: readonly Candidate[]): void {
  const { state } = decision;
  decision.set({ chosen_urls: [...state.chosen_urls, ...pages.map((page) => page.url)] });
  for (const page of pages) {
    const discovers = ofKind(decision.state, 'discover').map((node) => ({
      work_item_id: node.work_item_id,
      edge: 'optional' as const,
    }));
    addNode(decision, page.title === '' ? page.url : page.title, discovers, {
      kind: 'read',
      url: page.url,
      title: page.title,
    });
  }
  if (pages.length === 0) return;
  decision.publish('wave.opened', { wave: state.wave, pages: pages.map(({ url, title }) => ({ url, title })) });
}

function openExtracts(decision: Decision): boolean {
  const { state } = decision;
  if (hasExtractsOfWave(state) || state.reads.length === 0) return false;
  const reads = ofKind(state, 'read').filter((node) => node.wave === state.wave);
  const needs = reads.map((node) => ({ work_item_id: node.work_item_id, edge: 'optional' as const }));
  state.questions.forEach(({ question, assertions }, question_index) => {
    if (assertions > 0) return;
    addNode(decision, question, needs, {
      kind: 'extract',
      question,
      question_index,
      form: formOf(state),
      source_revision_ids: sourcesInOrder(state),
    });
  });
  startWaiting(decision);
  return decision.state.nodes.some((node) => !ended(node));
}

export function openVerify(decision: Decision, extract: TaskNode, proposals: readonly Proposal[]): void {
  if (extract.payload.kind !== 'extract') return;
  const { question, question_index } = extract.payload;
  addNode(decision, question, [{ work_item_id: extract.work_item_id, edge: 'hard' }], {
    kind: 'verify',
    question,
    question_index,
    proposals: [...proposals],
  });
}

/** PL-02: another numbered wave, only forward, only while a question is open and pages and waves are left. */
function openNextWave(decision: Decision): boolean {
  const { state } = decision;
  const open = unread(state).some((list) => list.candidates.length > 0);
  if (!open || state.wave >= (state.spec?.execution.max_waves ?? 1) || pagesLeft(state) === 0) return false;
  decision.set({ wave: state.wave + 1 });
  return askCoordinator(decision);
}

export function openWrite(decision: Decision): void {
  const { state } = decision;
  addNode(decision, state.title, [], {
    kind: 'write',
    title: state.title,
    questions: state.questions.map(({ question }) => question),
    form: formOf(state),
    gaps: state.gaps,
  });
  startWaiting(decision);
}
