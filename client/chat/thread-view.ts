import type { AppContext } from '../app/context.ts';
import type { View } from '../app/view.ts';
import type { AppState } from '../data/store.ts';
import { h, toggle } from '../ui/element.ts';
import { followTop, isAtEnd } from '../ui/follow.ts';
import { icon } from '../ui/icon.ts';
import { createMessage, type MessageState } from './message-view.ts';
import type { PartTools } from './message-parts.ts';
import { threadOf, type ThreadItem } from './thread-model.ts';

/*
 * The scrolling list of messages.
 *   1. A message is built once; updates go to the parts that changed.
 *   2. The newest messages are there at once, older ones follow in small steps, so that a long thread opens quickly.
 *   3. It follows the end only for a reader who is at the end, and stops at the top of the newest turn.
 */
const BUILT_AT_ONCE = 60;

export type ThreadView = View<AppState> & { goToNewest(): void };

export function createThread(context: AppContext, conversationId: string, tools: PartTools): ThreadView {
  const { texts } = context;
  const views = new Map<string, View<MessageState>>();
  const drawn = new Map<string, Drawn>();
  const list = h('div', { class: 'thread-list', role: 'log', 'aria-live': 'off', 'aria-label': texts.thread });
  const latest = h(
    'button',
    { type: 'button', class: 'latest', hidden: true, onclick: () => toEnd() },
    icon('down', 15),
    texts.latest,
  );
  const scroller = h('div', { class: 'thread', tabindex: -1 }, list);
  const element = h('div', { class: 'thread-frame' }, scroller, latest);
  let following = true;

  const viewport = () => ({
    top: scroller.scrollTop,
    height: scroller.clientHeight,
    contentHeight: scroller.scrollHeight,
  });
  const newestTurnTop = (): number => {
    const turns = list.querySelectorAll<HTMLElement>('.question');
    return turns[turns.length - 1]?.offsetTop ?? 0;
  };
  const toEnd = (): void => scroller.scrollTo({ top: scroller.scrollHeight, behavior: 'smooth' });
  const settle = (): void => {
    if (following) scroller.scrollTop = followTop(viewport(), newestTurnTop());
    toggle(latest, !isAtEnd(viewport()));
  };
  scroller.addEventListener('scroll', () => {
    following = isAtEnd(viewport());
    toggle(latest, !following);
  });
  const grown = new ResizeObserver(settle);
  grown.observe(list);
  grown.observe(scroller);

  /** Everything before this place in the thread is still to be built. */
  let builtFrom = Number.POSITIVE_INFINITY;
  let closed = false;

  function draw(app: AppState): void {
    const items = threadOf(conversationId, app.replica.messages[conversationId] ?? [], app.pending);
    builtFrom = Math.min(builtFrom, Math.max(0, items.length - BUILT_AT_ONCE));
    const shown = items.slice(builtFrom);
    shown.forEach((item, index) => {
      const view = views.get(item.key) ?? createMessage(context, tools, item);
      views.set(item.key, view);
      if (list.children[index] !== view.element) list.insertBefore(view.element, list.children[index] ?? null);
      if (isStale(drawn.get(item.key), item, app)) view.update({ item, app });
      drawn.set(item.key, { source: sourceOf(item), app });
    });
    dropGone(new Set(shown.map((item) => item.key)));
    if (items.length === 0) builtFrom = Number.POSITIVE_INFINITY;
    else if (builtFrom > 0) setTimeout(buildOlder, 0);
  }
  function buildOlder(): void {
    if (closed || builtFrom === 0 || builtFrom === Number.POSITIVE_INFINITY) return;
    builtFrom = Math.max(0, builtFrom - BUILT_AT_ONCE);
    draw(context.store.getSnapshot().context);
  }
  function dropGone(keys: ReadonlySet<string>): void {
    for (const [key, view] of views) {
      if (keys.has(key)) continue;
      view.element.remove();
      view.destroy();
      views.delete(key);
      drawn.delete(key);
    }
  }

  return {
    element,
    goToNewest() {
      following = true;
    },
    update: draw,
    destroy() {
      closed = true;
      grown.disconnect();
      for (const view of views.values()) view.destroy();
    },
  };
}

type Drawn = { readonly source: object; readonly app: AppState };

const sourceOf = (item: ThreadItem): object => (item.kind === 'stored' ? item.message : item.pending);

/** A long thread is not drawn again for news about something else. State is never changed in place, so identity tells. */
function isStale(drawn: Drawn | undefined, item: ThreadItem, app: AppState): boolean {
  if (drawn === undefined || drawn.source !== sourceOf(item)) return true;
  if (item.kind === 'pending') return drawn.app.wire !== app.wire;
  const { tasks } = app.replica;
  const taskId = item.message.task_id ?? '';
  const isLive = item.message.author === 'assistant' && taskId !== '';
  if (!isLive) return false;
  return (
    drawn.app.replica.tasks[taskId] !== tasks[taskId] ||
    drawn.app.pending !== app.pending ||
    drawn.app.commands !== app.commands
  );
}
