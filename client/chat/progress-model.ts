import type { Cost, TaskStatus } from '#contracts/actors/task.ts';
import { isOver, type PageState } from '../data/task-activity.ts';
import type { ReplicaTask } from '../data/replica.ts';
import type { CommandState } from '../data/store.ts';

/*
 * What the progress card shows. Pure.
 *   1. Only counts; no percentage, no total that is not known.
 *   2. "accepted" needs the stored command or the stopping state; "stopped" needs the stopped state.
 */

export type StopPhase = 'offered' | 'sending' | 'accepted' | 'stopped' | 'none';
export type PageRowState =
  'waiting' | 'running' | 'no_content' | 'failed' | 'cancelled' | Exclude<PageState, 'reading'>;
export type PageRow = {
  readonly url: string;
  readonly title: string;
  readonly state: PageRowState;
  readonly reason: string;
};

export type ProgressModel = {
  readonly status: TaskStatus;
  readonly step: 'understanding' | 'searching' | 'reading' | 'verifying' | 'writing' | 'status';
  readonly running: boolean;
  readonly over: boolean;
  readonly counts: {
    readonly searches: number;
    readonly read: number;
    readonly reading: number;
    readonly queued: number;
    readonly blocked: number;
    readonly quotes: number;
    readonly conflicts: number;
  };
  readonly queries: readonly string[];
  readonly pages: readonly PageRow[];
  readonly cost: Cost | null;
  readonly startedTime: string | null;
  readonly endedTime: string | null;
  readonly stop: StopPhase;
  readonly canPause: boolean;
  readonly canResume: boolean;
  readonly problem: { readonly code: string; readonly message: string } | null;
};

type CommandFacts = { readonly sending: boolean; readonly settled: CommandState | undefined };

export function progressOf(task: ReplicaTask, stop: CommandFacts): ProgressModel {
  const { activity, detail } = task;
  const pages = pageRowsOf(task);
  const over = isOver(activity.status);
  const running = activity.status === 'running';
  const countOf = (state: PageRowState): number => pages.filter((page) => page.state === state).length;
  return {
    status: activity.status,
    step: running ? activity.phase : 'status',
    running,
    over,
    counts: {
      searches: activity.searches,
      read: countOf('read') + countOf('no_content'),
      reading: countOf('running'),
      queued: over ? 0 : countOf('waiting'),
      blocked: countOf('blocked') + countOf('failed'),
      quotes: activity.quotes,
      conflicts: activity.conflicts,
    },
    queries: activity.queries,
    pages,
    cost: detail?.cost ?? null,
    startedTime: activity.startedTime ?? detail?.created_time ?? null,
    endedTime: activity.endedTime,
    stop: stopPhaseOf(activity.status, stop),
    canPause: running || activity.status === 'queued',
    canResume: activity.status === 'paused',
    problem: activity.problem ?? detail?.problem ?? null,
  };
}

export function stopPhaseOf(status: TaskStatus, command: CommandFacts): StopPhase {
  if (status === 'stopped') return 'stopped';
  if (isOver(status)) return 'none';
  if (status === 'stopping' || command.settled?.state === 'accepted') return 'accepted';
  return command.sending ? 'sending' : 'offered';
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** Pages as events told them; the plan's own nodes tell which of them are being read, and those no event told. */
function pageRowsOf({ activity, detail }: ReplicaTask): readonly PageRow[] {
  const reads = (detail?.plan ?? []).filter((node) => node.kind === 'read');
  const over = isOver(activity.status);
  const stateOf = (state: PageRowState): PageRowState =>
    over && (state === 'waiting' || state === 'running') ? 'cancelled' : state;
  const rows = activity.pages.map((page): PageRow => {
    const node = reads.find((one) => one.label === page.title || one.label === page.url);
    return { ...page, state: stateOf(page.state === 'waiting' && node?.status === 'running' ? 'running' : page.state) };
  });
  const told = new Set(activity.pages.flatMap((page) => [page.url, page.title]).filter((text) => text !== ''));
  for (const node of reads) {
    if (told.has(node.label)) continue;
    const [url, title] = isUrl(node.label) ? [node.label, ''] : ['', node.label];
    const state = node.status === 'succeeded' ? 'read' : node.status === 'retry_wait' ? 'waiting' : node.status;
    rows.push({ url, title, state: stateOf(state), reason: node.reason ?? '' });
  }
  return rows;
}

/** Pages of the built-in library come from an internal host that means nothing to people. */
export const LIBRARY_HOST = 'library.yunsou.internal';

export function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return '';
  }
}

export const isLibraryUrl = (url: string): boolean => hostOf(url) === LIBRARY_HOST;

export function elapsedMs(model: Pick<ProgressModel, 'startedTime' | 'endedTime'>, nowMs: number): number {
  if (model.startedTime === null) return 0;
  const endMs = model.endedTime === null ? nowMs : Date.parse(model.endedTime);
  return Math.max(0, endMs - Date.parse(model.startedTime));
}
