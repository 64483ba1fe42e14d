import type { TaskStatus } from '#contracts/actors/task.ts';

/*
 * What a task did so far, counted from its own numbered events. Pure.
 *   1. Every number on the progress card is a count of events; nothing is estimated.
 *   2. A status only changes by an event or by a snapshot of the task.
 */

export type PageState = 'waiting' | 'read' | 'no_content' | 'blocked' | 'failed';
export type ActivityPage = {
  readonly url: string;
  readonly title: string;
  readonly state: PageState;
  readonly reason: string;
};

export type TaskActivity = {
  readonly status: TaskStatus;
  readonly phase: 'understanding' | 'searching' | 'reading' | 'verifying' | 'writing';
  readonly searches: number;
  readonly queries: readonly string[];
  readonly pages: readonly ActivityPage[];
  readonly quotes: number;
  readonly verified: number;
  readonly conflicts: number;
  readonly startedTime: string | null;
  readonly endedTime: string | null;
  readonly problem: { readonly code: string; readonly message: string } | null;
};

export const EMPTY_ACTIVITY: TaskActivity = {
  status: 'draft',
  phase: 'understanding',
  searches: 0,
  queries: [],
  pages: [],
  quotes: 0,
  verified: 0,
  conflicts: 0,
  startedTime: null,
  endedTime: null,
  problem: null,
};

export type TaskFact = {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly time: string | null;
};

const TERMINAL: ReadonlySet<TaskStatus> = new Set(['stopped', 'completed', 'partial_failed', 'failed', 'cancelled']);
export const isOver = (status: TaskStatus): boolean => TERMINAL.has(status);

const STATUS_OF: Readonly<Record<string, TaskStatus>> = {
  'task.created': 'draft',
  'plan.compiled': 'ready',
  'task.queued': 'queued',
  'run.started': 'running',
  'run.resumed': 'running',
  'task.pausing': 'pausing',
  'task.paused': 'paused',
  'task.stopping': 'stopping',
  'task.stopped': 'stopped',
  'task.completed': 'completed',
  'task.partial_failed': 'partial_failed',
  'task.failed': 'failed',
};

const PHASE_OF: Readonly<Record<string, TaskActivity['phase']>> = {
  'search.started': 'searching',
  'wave.opened': 'reading',
  'source.read': 'reading',
  'source.blocked': 'reading',
  'evidence.accepted': 'verifying',
  'assertion.verified': 'writing',
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 1;

export function applyFact(activity: TaskActivity, fact: TaskFact): TaskActivity {
  const moved = countFact(activity, fact);
  const status = STATUS_OF[fact.type] ?? moved.status;
  return {
    ...moved,
    status,
    phase: PHASE_OF[fact.type] ?? moved.phase,
    startedTime: moved.startedTime ?? fact.time,
    endedTime: isOver(status) ? (moved.endedTime ?? fact.time) : null,
  };
}

function countFact(activity: TaskActivity, { type, data }: TaskFact): TaskActivity {
  switch (type) {
    case 'search.completed':
      return { ...activity, searches: activity.searches + 1, queries: addQueries(activity.queries, data['queries']) };
    case 'wave.opened':
      return {
        ...activity,
        pages: pagesOf(data).reduce((pages, page) => putPage(pages, page, 'waiting'), activity.pages),
      };
    case 'source.read':
      return { ...activity, pages: putPage(activity.pages, data, 'read') };
    case 'source.blocked':
      return { ...activity, pages: putPage(activity.pages, data, blockedAs(data['outcome'])) };
    case 'evidence.accepted':
      return { ...activity, quotes: activity.quotes + countOf(data['count']) };
    case 'assertion.verified':
      return { ...activity, verified: activity.verified + countOf(data['count']) };
    case 'conflict.found':
      return { ...activity, conflicts: activity.conflicts + 1 };
    case 'task.failed':
    case 'task.partial_failed':
      return { ...activity, problem: problemOf(data) ?? activity.problem };
    default:
      return activity;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function addQueries(known: readonly string[], told: unknown): readonly string[] {
  const fresh = Array.isArray(told) ? told.map(textOf).filter((query) => query !== '') : [];
  return [...new Set([...known, ...fresh])];
}

const pagesOf = (data: Fields): readonly Fields[] =>
  Array.isArray(data['pages'])
    ? data['pages'].filter((page): page is Fields => typeof page === 'object' && page !== null)
    : [];

const blockedAs = (outcome: unknown): PageState =>
  outcome === 'no_content' || outcome === 'failed' ? outcome : 'blocked';

/** A page keeps its place; what a later event does not say stays known. */
function putPage(pages: readonly ActivityPage[], data: Fields, state: PageState): readonly ActivityPage[] {
  const url = textOf(data['url']);
  const known = url === '' ? -1 : pages.findIndex((one) => one.url === url);
  const old = pages[known];
  if (old !== undefined && state === 'waiting') return pages;
  const page = { url, title: textOf(data['title']) || (old?.title ?? ''), state, reason: textOf(data['reason']) };
  return old === undefined ? [...pages, page] : pages.with(known, page);
}

function problemOf(data: Fields): TaskActivity['problem'] {
  const inner = (typeof data['problem'] === 'object' && data['problem'] !== null ? data['problem'] : data) as Record<
    string,
    unknown
  >;
  const code = textOf(inner['code']);
  return code === '' ? null : { code, message: textOf(inner['message']) };
}
