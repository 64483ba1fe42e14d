import type { MessagePart } from '#contracts/actors/conversation.ts';
import { commandKey } from '../app/commands.ts';
import type { AppContext } from '../app/context.ts';
import type { View } from '../app/view.ts';
import type { AppState } from '../data/store.ts';
import { button } from '../ui/button.ts';
import { h, replace, toggle } from '../ui/element.ts';

export type PlanState = { readonly part: Extract<MessagePart, { kind: 'plan' }>; readonly app: AppState };

/** The plan of a task that waits for a go-ahead; one that has started is told by its progress card. */
export function createPlanPart(context: AppContext, taskId: string): View<PlanState> {
  const { texts, commands } = context;
  const unwatch = context.feed.openTask(taskId);
  let part: PlanState['part'] | null = null;
  const list = h('ol', { class: 'plan-list' });
  const start = button(texts.start, {
    icon: 'play',
    look: 'strong',
    press: () => {
      if (part === null) return;
      commands.commandTask(taskId, 'start', { plan_hash: part.plan_hash, plan_version: part.plan_version });
    },
  });
  const element = h(
    'section',
    { class: 'card plan' },
    h('p', { class: 'plan-lead' }, texts.planNeedsStart),
    list,
    start,
  );
  return {
    element,
    update(state) {
      part = state.part;
      const task = state.app.replica.tasks[taskId];
      toggle(element, task?.activity.status === 'ready');
      start.disabled = state.app.commands[commandKey(taskId, 'start')]?.state === 'accepted';
      replace(list, ...(task?.detail?.plan ?? []).map((node) => h('li', {}, node.label)));
    },
    destroy: unwatch,
  };
}
