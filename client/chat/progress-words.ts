import type { TaskStatus } from '#contracts/actors/task.ts';
import { sayCost } from '#contracts/research/cost-words.ts';
import type { Catalogue } from '../i18n/en.ts';
import type { Format } from '../i18n/format.ts';
import type { PageRowState, ProgressModel, StopPhase } from './progress-model.ts';

/** The words of the progress card. Pure. */
export function stepOf(model: Pick<ProgressModel, 'step' | 'status'>, texts: Catalogue): string {
  switch (model.step) {
    case 'understanding':
      return texts.statusRunning;
    case 'searching':
      return texts.statusSearching;
    case 'reading':
      return texts.statusReading;
    case 'verifying':
      return texts.statusVerifying;
    case 'writing':
      return texts.statusWriting;
    case 'status':
      return statusWord(model.status, texts);
  }
}

export function statusWord(status: TaskStatus, texts: Catalogue): string {
  const words: Record<TaskStatus, string> = {
    draft: texts.statusDraft,
    ready: texts.statusReady,
    queued: texts.statusQueued,
    running: texts.statusRunning,
    pausing: texts.statusPausing,
    paused: texts.statusPaused,
    stopping: texts.statusStopping,
    stopped: texts.statusStopped,
    completed: texts.statusCompleted,
    partial_failed: texts.statusPartial,
    failed: texts.statusFailed,
    cancelled: texts.statusCancelled,
  };
  return words[status];
}

/** Only what happened: a count of nothing is not shown. */
export function countersOf({ counts }: Pick<ProgressModel, 'counts'>, texts: Catalogue): readonly string[] {
  const pairs: readonly [number, (n: number) => string][] = [
    [counts.searches, texts.searchesDone],
    [counts.read, texts.pagesRead],
    [counts.reading, texts.pagesReading],
    [counts.queued, texts.pagesQueued],
    [counts.blocked, texts.pagesBlocked],
    [counts.quotes, texts.quotesFound],
    [counts.conflicts, texts.conflictsFound],
  ];
  return pairs.filter(([n]) => n > 0).map(([n, word]) => word(n));
}

/** Null: it costs nothing. An unknown cost is never shown as nothing. */
export function costWords({ cost }: Pick<ProgressModel, 'cost'>, texts: Catalogue, format: Format): string | null {
  if (cost === null || sayCost(cost) === null) return null;
  const amount = format.money(cost.settled_minor, cost.currency);
  const said = texts.costOfTask(cost.unknown_calls > 0 ? texts.costAtLeast(amount) : amount);
  const reserved = cost.reserved_minor ?? '0';
  if (reserved === '0') return said;
  return `${said} · ${texts.costReserved(format.money(reserved, cost.currency))}`;
}

export function stopLabelOf(phase: StopPhase, texts: Catalogue): string {
  if (phase === 'sending') return texts.stopSending;
  if (phase === 'accepted') return texts.stopAccepted;
  return phase === 'stopped' ? texts.stopDone : texts.stop;
}

export function pageWord(state: PageRowState, texts: Catalogue): string {
  const words: Record<PageRowState, string> = {
    waiting: texts.pageWaiting,
    running: texts.pageRunning,
    read: texts.pageRead,
    blocked: texts.pageBlocked,
    no_content: texts.pageNoContent,
    failed: texts.pageFailed,
    cancelled: texts.pageCancelled,
  };
  return words[state];
}
