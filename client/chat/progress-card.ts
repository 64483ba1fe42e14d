import type { AppContext } from '../app/context.ts';
import { commandKey } from '../app/commands.ts';
import type { View } from '../app/view.ts';
import type { AppState } from '../data/store.ts';
import { EMPTY_ACTIVITY } from '../data/task-activity.ts';
import { button } from '../ui/button.ts';
import { h, replace, setText, toggle } from '../ui/element.ts';
import { explainCode } from '../ui/explain.ts';
import { elapsedMs, progressOf, type ProgressModel } from './progress-model.ts';
import { createPageList } from './page-list.ts';
import { costWords, countersOf, stepOf, stopLabelOf } from './progress-words.ts';

/** What a task is doing, from its own events. It watches its task while it is on the screen. */
const TICK_MS = 1000;
const ANNOUNCE_EVERY_MS = 7000;

export function createProgressCard(context: AppContext, taskId: string): View<AppState> {
  const { texts, format } = context;
  const parts = buildCard(context, taskId);
  const pages = createPageList(context);
  parts.details.append(pages.element);
  const unwatch = context.feed.openTask(taskId);
  let model: ProgressModel | null = null;
  let announcedMs = 0;
  let wasOver: boolean | null = null;

  const tick = (): void => {
    if (model === null) return;
    const time = format.clock(elapsedMs(model, context.nowMs()));
    setText(parts.time, model.over ? texts.tookTime(time) : time);
  };
  const timer = setInterval(tick, TICK_MS);

  function announce(next: ProgressModel): void {
    const ended = next.over && wasOver === false;
    wasOver = next.over;
    if (ended) return context.announce(endSentence(next, context));
    if (!next.running || context.nowMs() - announcedMs < ANNOUNCE_EVERY_MS) return;
    announcedMs = context.nowMs();
    context.announce([stepOf(next, texts), ...countersOf(next, texts)].join(', '));
  }

  return {
    element: parts.element,
    update(state) {
      const stopKey = commandKey(taskId, 'stop');
      const sending = state.pending.some(
        (one) => one.kind === 'task' && one.taskId === taskId && one.command === 'stop',
      );
      const task = state.replica.tasks[taskId] ?? { detail: null, activity: EMPTY_ACTIVITY };
      const next = progressOf(task, { sending, settled: state.commands[stopKey] });
      if (model !== null && model.over !== next.over) parts.details.open = false;
      model = next;
      draw(parts, next, context, refusalOf(state, taskId));
      pages.update(next);
      tick();
      if (state.replica.tasks[taskId] !== undefined) announce(next);
    },
    destroy() {
      clearInterval(timer);
      unwatch();
    },
  };
}

type CardParts = ReturnType<typeof buildCard>;

function buildCard(context: AppContext, taskId: string) {
  const { texts, commands } = context;
  const status = h('p', { class: 'progress-status' });
  const time = h('span', { class: 'progress-time', title: texts.elapsed });
  const bar = h('progress', { class: 'progress-bar', 'aria-label': texts.progressLabel });
  const counters = h('ul', { class: 'counters' });
  const notice = h('div', { class: 'progress-notice' });
  const summary = h('summary', {}, texts.pageList);
  const details = h('details', { class: 'progress-details' }, summary);
  const stop = button(texts.stop, { icon: 'stop', look: 'plain', press: () => commands.commandTask(taskId, 'stop') });
  stop.classList.add('stop');
  const pause = button(texts.pause, {
    icon: 'pause',
    look: 'quiet',
    press: () => commands.commandTask(taskId, 'pause'),
  });
  const resume = button(texts.resume, { icon: 'play', press: () => commands.commandTask(taskId, 'resume') });
  const actions = h('div', { class: 'progress-actions' }, stop, pause, resume);
  const head = h('header', { class: 'progress-head' }, status, time);
  const element = h(
    'section',
    { class: 'card progress-card', 'aria-label': texts.progressLabel, 'data-task': taskId },
    head,
    bar,
    counters,
    notice,
    details,
    actions,
  );
  return { element, status, time, bar, counters, notice, summary, details, stop, pause, resume, actions };
}

function draw(parts: CardParts, model: ProgressModel, context: AppContext, refused: string | null): void {
  const { texts } = context;
  parts.element.dataset['status'] = model.status;
  setText(parts.status, stepOf(model, texts));
  const cost = costWords(model, texts, context.format);
  const words = [...countersOf(model, texts), ...(cost === null ? [] : [cost])];
  if (words.join('|') !== [...parts.counters.children].map((one) => one.textContent).join('|')) {
    replace(parts.counters, ...words.map((word) => h('li', {}, word)));
  }
  toggle(parts.bar, !model.over && model.status !== 'paused' && model.status !== 'ready');
  toggle(parts.pause, model.canPause && model.stop === 'offered');
  toggle(parts.resume, model.canResume && model.stop === 'offered');
  toggle(parts.stop, model.stop !== 'none' && model.stop !== 'stopped' && model.status !== 'draft');
  parts.stop.disabled = model.stop !== 'offered';
  parts.stop.dataset['phase'] = model.stop;
  setText(parts.stop.querySelector('span') ?? parts.stop, stopLabelOf(model.stop, texts));
  toggle(
    parts.actions,
    [parts.pause, parts.resume, parts.stop].some((one) => !one.hidden),
  );
  toggle(parts.details, model.pages.length > 0 || model.queries.length > 0);
  const count = model.pages.length;
  setText(parts.summary, count > 0 ? `${texts.pageList} (${count})` : texts.pageList);
  drawNotice(parts.notice, model, context, refused);
}

function drawNotice(notice: HTMLElement, model: ProgressModel, { texts }: AppContext, refused: string | null): void {
  const lines: string[] = [];
  if (refused !== null && !model.over) lines.push(`${texts.commandFailed} ${explainCode(refused, texts)}`);
  if (model.status === 'stopped') lines.push(texts.keptAfterStop);
  // "Nothing found" is the answer's own text; the card does not say it again.
  const told = model.problem?.code === 'evidence.insufficient';
  if (model.problem !== null && !told && (model.status === 'failed' || model.status === 'partial_failed')) {
    lines.push(explainCode(model.problem.code, texts), texts.errorNext);
  }
  const key = lines.join('\n');
  toggle(notice, lines.length > 0);
  if (notice.dataset['key'] === key) return;
  notice.dataset['key'] = key;
  const technical = model.problem !== null && lines.length > 1 ? model.problem.message : '';
  replace(
    notice,
    ...lines.map((line) => h('p', {}, line)),
    technical !== '' && h('details', {}, h('summary', {}, texts.details), h('p', { class: 'technical' }, technical)),
  );
}

function refusalOf(state: AppState, taskId: string): string | null {
  for (const command of ['stop', 'pause', 'resume', 'start'] as const) {
    const outcome = state.commands[commandKey(taskId, command)];
    if (outcome?.state === 'refused') return outcome.problem.code;
  }
  return null;
}

function endSentence(model: ProgressModel, { texts }: AppContext): string {
  if (model.status === 'stopped' || model.status === 'cancelled') return texts.announceStopped;
  return model.status === 'failed' ? texts.announceFailed : texts.announceAnswer;
}
