import type { Candidate, Proposal } from '#contracts/actors/role.ts';
import { suffixOf } from '#contracts/ids.ts';
import { EXTRACTIVE } from '#contracts/research/engine.ts';
import type { TaskNode, TaskState } from './contract.ts';
import { taskAddress, type Decision } from './decision.ts';
import { addNode, isEnded, ofKind, openNodes, startWaiting } from './graph.ts';
import { isShortOfMoney } from './money.ts';

/** Pages opened per wave: few for an answer in seconds, more where a report was asked for. */
const PAGES_PER_WAVE = { short_answer: 4, report: 8, dataset: 8 } as const;
/** Sources handed to one extraction; more would only dilute its ranking. */
const MAX_SOURCES_PER_EXTRACT = 16;

/** What can be written in this version; a data set is refused before it starts. */
export const formOf = (state: TaskState): 'short_answer' | 'report' =>
  state.spec?.output.form === 'short_answer' ? 'short_answer' : 'report';

/**
 * A model reads a page by itself, so each page is extracted as soon as it was read. The extractive engine ranks the passages of
 * all pages of a question against one another, so it waits for those, and for no page of another question.
 */
export const extractsByPage = (state: TaskState): boolean => state.engine?.kind === 'model';

/** The first wave: one discovery per open question; known addresses are read without one (PL-01). */
export function openPlan(decision: Decision): void {
  const { spec } = decision.state;
  if (spec === null) return;
  const empty = { candidates: [], assertions: 0, sources: 0, independent: 0, inherited: [] };
  if (decision.state.questions.length === 0) {
    decision.set({ questions: spec.scope.questions.map((question) => ({ question, ...empty })) });
  }
  decision.set({ wave: 1 });
  openInherited(decision);
  if (spec.scope.known_urls.length > 0) {
    const unread = spec.scope.known_urls.filter((url) => !decision.state.chosen_urls.includes(url));
    openReads(
      decision,
      unread.slice(0, spec.execution.max_pages).map((url) => ({ url, title: url, snippet: '' })),
    );
  } else openDiscoveries(decision);
  startWaiting(decision);
}

/** TK-06: what the earlier task knew is verified once more; nobody searches for it again. */
function openInherited(decision: Decision): void {
  decision.state.questions.forEach(({ question, inherited }, question_index) => {
    if (inherited.length === 0) return;
    addNode(decision, question, [], { kind: 'verify', question, question_index, proposals: inherited });
  });
}

function openDiscoveries(decision: Decision): void {
  const allowed_domains = decision.state.spec?.scope.allowed_domains ?? [];
  decision.state.questions.forEach(({ question, inherited }, question_index) => {
    if (inherited.length > 0) return;
    addNode(decision, question, [], { kind: 'discover', question, question_index, allowed_domains });
  });
}

/** Moves the plan on after something ended. Returns `true` when there is nothing left to do but write. */
export function advance(decision: Decision): boolean {
  if (decision.state.choosing) return false;
  startWaiting(decision);
  openExtracts(decision);
  startWaiting(decision);
  if (openNodes(decision.state).length > 0) return false;
  if (needsChoice(decision.state)) return !askCoordinator(decision);
  return !openNextWave(decision);
}

/** Best ranked first; of many, the later waves', which were opened because the earlier ones did not answer. */
function sourcesInOrder(state: TaskState): string[] {
  const ordered = [...state.reads].sort((a, b) => a.number - b.number);
  return ordered.slice(-MAX_SOURCES_PER_EXTRACT).map(({ source_revision_id }) => source_revision_id);
}

const inWave = (state: TaskState, kind: TaskNode['kind']): TaskNode[] =>
  ofKind(state, kind).filter((node) => node.wave === state.wave);

function needsChoice(state: TaskState): boolean {
  if (inWave(state, 'read').length > 0 || inWave(state, 'extract').length > 0) return false;
  return unread(state).some((list) => list.candidates.length > 0);
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
  if (maxPages === 0 || state.exhausted) return false;
  const id = `rol_${suffixOf(state.task_id)}-${state.run}-choose-${state.wave}`;
  decision.set({ choosing: true }).spawnFenced('role-run', id, {
    role_run_id: id,
    task_id: state.task_id,
    reply_to: taskAddress(state),
    language: state.language,
    engine: state.engine ?? EXTRACTIVE,
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

/** Pages of this wave that were chosen for the question; where nobody knows, all of them. */
function readsFor(state: TaskState, question_index: number): TaskNode[] {
  const reads = inWave(state, 'read');
  const found = new Set(state.questions[question_index]?.candidates.map(({ url }) => url));
  const own = reads.filter(({ payload }) => payload.kind === 'read' && found.has(payload.url));
  return own.length > 0 ? own : reads;
}

/** PL-05: a question is extracted when its own pages were read, whatever else is still being read. */
function openExtracts(decision: Decision): void {
  decision.state.questions.forEach(({ assertions, inherited }, index) => {
    if (assertions > 0 || inherited.length > 0) return;
    if (extractsByPage(decision.state)) openByPage(decision, index);
    else openByQuestion(decision, index);
  });
}

const extractsOf = (state: TaskState, question_index: number): TaskNode[] =>
  inWave(state, 'extract').filter(
    ({ payload }) => payload.kind === 'extract' && payload.question_index === question_index,
  );

function openByQuestion(decision: Decision, question_index: number): void {
  const { state } = decision;
  if (state.reads.length === 0 || extractsOf(state, question_index).length > 0) return;
  const reads = readsFor(state, question_index);
  const isWaveRead = inWave(state, 'read').every(isEnded) && inWave(state, 'discover').every(isEnded);
  const isOwnRead = reads.length > 0 && reads.every(isEnded) && reads.some(({ status }) => status === 'succeeded');
  if (!isWaveRead && !isOwnRead) return;
  // Inherited pages alone: whatever else is to be read is chosen first.
  if (inWave(state, 'read').length === 0 && needsChoice(state)) return;
  const needs = reads.map(({ work_item_id }) => ({ work_item_id, edge: 'optional' as const }));
  openExtract(decision, question_index, needs, sourcesInOrder(state));
  openVerify(decision, question_index, []);
}

function openByPage(decision: Decision, question_index: number): void {
  for (const read of readsFor(decision.state, question_index)) {
    const { reads } = decision.state;
    const source = reads.find(({ number }) => number === read.number)?.source_revision_id;
    const isOpened = extractsOf(decision.state, question_index).some(({ needs }) =>
      needs.some(({ work_item_id }) => work_item_id === read.work_item_id),
    );
    if (read.status !== 'succeeded' || source === undefined || isOpened) continue;
    openExtract(decision, question_index, [{ work_item_id: read.work_item_id, edge: 'hard' }], [source]);
  }
  const { state } = decision;
  const isVerified = inWave(state, 'verify').some(
    ({ payload }) => payload.kind === 'verify' && payload.question_index === question_index,
  );
  // What different pages say is verified together, or a contradiction between them would go unseen.
  const isRead = inWave(state, 'read').length > 0 && readsFor(state, question_index).every(isEnded);
  if (isRead && !isVerified && extractsOf(state, question_index).length > 0) openVerify(decision, question_index, []);
}

function openExtract(
  decision: Decision,
  question_index: number,
  needs: TaskNode['needs'],
  source_revision_ids: string[],
): void {
  const { state } = decision;
  const question = state.questions[question_index]?.question ?? '';
  const form = formOf(state);
  addNode(decision, question, needs, { kind: 'extract', question, question_index, form, source_revision_ids });
}

/** Of one extraction it cannot do without; of several it goes on with those that brought something. */
export function openVerify(decision: Decision, question_index: number, proposals: readonly Proposal[]): void {
  const { state } = decision;
  const extracts = extractsOf(state, question_index);
  const edge = extracts.length === 1 ? ('hard' as const) : ('optional' as const);
  const question = state.questions[question_index]?.question ?? '';
  addNode(
    decision,
    question,
    extracts.map(({ work_item_id }) => ({ work_item_id, edge })),
    { kind: 'verify', question, question_index, proposals: [...proposals] },
  );
}

/** PL-02: another numbered wave, only forward, only while a question is open and pages, waves and money are left. */
function openNextWave(decision: Decision): boolean {
  const { state } = decision;
  const open = unread(state).some((list) => list.candidates.length > 0);
  if (!open || state.wave >= (state.spec?.execution.max_waves ?? 1) || pagesLeft(state) === 0) return false;
  if (isShortOfMoney(state)) return false;
  decision.set({ wave: state.wave + 1 });
  return askCoordinator(decision);
}

export function openWrite(decision: Decision): void {
  const { state } = decision;
  const needs = ofKind(state, 'verify').map(({ work_item_id }) => ({ work_item_id, edge: 'optional' as const }));
  addNode(decision, state.title, needs, {
    kind: 'write',
    title: state.title,
    questions: state.questions.map(({ question }) => question),
    form: formOf(state),
    gaps: state.gaps,
  });
  startWaiting(decision);
}
