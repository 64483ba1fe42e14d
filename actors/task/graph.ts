import type { WorkPayload } from '#contracts/actors/work-item.ts';
import { suffixOf } from '#contracts/ids.ts';
import { EXTRACTIVE } from '#contracts/research/engine.ts';
import type { TaskNode, TaskState } from './contract.ts';
import { runId, taskAddress, type Decision } from './decision.ts';

/** More nodes than this and something multiplies; the plan then goes on with what it has. */
const MAX_NODES = 400;

const OPEN: readonly TaskNode['status'][] = ['waiting', 'running', 'retry_wait'];

export const isEnded = (node: TaskNode): boolean => !OPEN.includes(node.status);
export const ofKind = (state: TaskState, kind: TaskNode['kind']) => state.nodes.filter((node) => node.kind === kind);

/** An item that waits out a failure still holds its place: it goes on by itself. */
export const runningNodes = (state: TaskState): TaskNode[] =>
  state.nodes.filter(({ status }) => status === 'running' || status === 'retry_wait');
export const openNodes = (state: TaskState): TaskNode[] => state.nodes.filter((node) => !isEnded(node));

const maxParallel = (state: TaskState): number => state.spec?.execution.max_parallel ?? 1;
const nodeId = (state: TaskState, number: number): string => `wrk_${suffixOf(state.task_id)}-${state.run}-${number}`;

/** Nodes are only appended, and need only what stands before them: so there are no cycles (PL-02). */
export function addNode(
  decision: Decision,
  label: string,
  needs: TaskNode['needs'],
  payload: WorkPayload,
): TaskNode | null {
  const { state } = decision;
  if (state.nodes.length >= MAX_NODES && payload.kind !== 'write') return null;
  const number = state.nodes.length + 1;
  const node: TaskNode = {
    number,
    work_item_id: nodeId(state, number),
    kind: payload.kind,
    label: label.slice(0, 300),
    wave: Math.max(1, state.wave),
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

export function changeNode(decision: Decision, workItemId: string, change: Partial<TaskNode>): void {
  const nodes = decision.state.nodes.map((node) => (node.work_item_id === workItemId ? { ...node, ...change } : node));
  decision.set({ nodes });
}

type Needed = { readonly edge: 'hard' | 'optional'; readonly node: TaskNode };

export function neededBy(state: TaskState, node: TaskNode): Needed[] {
  const byId = new Map(state.nodes.map((other) => [other.work_item_id, other]));
  return node.needs.flatMap(({ work_item_id, edge }) => {
    const needed = byId.get(work_item_id);
    return needed === undefined ? [] : [{ edge, node: needed }];
  });
}

/** PL-03: starts what has all it needs, up to the limit of the contract; a missing hard need blocks, an optional one limits. */
export function startWaiting(decision: Decision): void {
  for (const { number } of decision.state.nodes.filter(({ status }) => status === 'waiting')) {
    const node = decision.state.nodes.find((one) => one.number === number);
    if (node === undefined) continue;
    const needed = neededBy(decision.state, node);
    if (!needed.every((one) => isEnded(one.node))) continue;
    const missing = needed.filter((one) => one.node.status !== 'succeeded');
    const barrier = missing.find(({ edge }) => edge === 'hard');
    if (barrier !== undefined) block(decision, node, `needs “${barrier.node.label}”: ${reasonFor(barrier.node)}`);
    else if (isEmptyVerify(decision.state, node)) block(decision, node, 'no passage was proposed');
    else if (runningNodes(decision.state).length < maxParallel(decision.state)) start(decision, node, missing);
  }
}

const reasonFor = ({ status, reason }: TaskNode): string => reason ?? status;

function block(decision: Decision, node: TaskNode, reason: string): void {
  changeNode(decision, node.work_item_id, { status: 'blocked', reason, ended_time: decision.at });
}

function proposalsFor(state: TaskState, node: TaskNode) {
  return neededBy(state, node).flatMap(({ node: needed }) => needed.proposals ?? []);
}

/** One that was opened together with its extractions gets their proposals when they have ended. */
function isEmptyVerify(state: TaskState, node: TaskNode): boolean {
  if (node.payload.kind !== 'verify' || node.payload.proposals.length > 0) return false;
  return proposalsFor(state, node).length === 0;
}

function start(decision: Decision, node: TaskNode, missing: readonly Needed[]): void {
  const { state } = decision;
  const id = nodeId(state, node.number);
  const payload = payloadOf(state, node);
  const limitations = missing.map((one) => `${one.node.label}: ${reasonFor(one.node)}`.slice(0, 500));
  decision.set({ nodes: renamed(state.nodes, node.work_item_id, id) });
  changeNode(decision, id, { status: 'running', started_time: decision.at, payload, limitations, retry_time: null });
  decision.spawnFenced('work-item', id, {
    work_item_id: id,
    task_id: state.task_id,
    run_id: runId(state),
    reply_to: taskAddress(state),
    language: state.language,
    payload,
    engine: engineFor(state, node),
    deadline_time: state.deadline_time,
  });
}

/** T30: when the money is gone the report is put together without a model, and says so: a task ends with one. */
function engineFor(state: TaskState, node: TaskNode) {
  if (node.kind === 'write' && state.exhausted && isSecondWrite(state, node)) return EXTRACTIVE;
  return state.engine ?? EXTRACTIVE;
}

const isSecondWrite = (state: TaskState, node: TaskNode): boolean =>
  ofKind(state, 'write').some(({ number }) => number < node.number);

function payloadOf(state: TaskState, node: TaskNode): WorkPayload {
  const { payload } = node;
  if (payload.kind === 'discover') return { ...payload, asked: state.asked };
  if (payload.kind !== 'verify') return payload;
  const proposals = payload.proposals.length > 0 ? payload.proposals : proposalsFor(state, node);
  const read = [...new Set(state.reads.map(({ source_revision_id }) => source_revision_id))];
  return { ...payload, proposals, read_revision_ids: read.slice(-40) };
}

/** A node that is started again in a later run is a new work item; edges follow it. */
function renamed(nodes: readonly TaskNode[], from: string, to: string): TaskNode[] {
  return nodes.map((node) => ({
    ...node,
    work_item_id: node.work_item_id === from ? to : node.work_item_id,
    needs: node.needs.map((need) => (need.work_item_id === from ? { ...need, work_item_id: to } : need)),
  }));
}
