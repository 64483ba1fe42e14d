import type { ConversationView } from '#contracts/actors/conversation.ts';
import type { AppContext } from '../app/context.ts';
import { conversationLink, recentOf } from '../chat/home-view.ts';
import { toProblem } from '../data/problem.ts';
import { iconButton } from '../ui/button.ts';
import { explainCode } from '../ui/explain.ts';
import { createDialog, type Dialog } from '../ui/dialog.ts';
import { h, replace } from '../ui/element.ts';

/** All conversations, newest first, as a drawer from the left. */
export function createHistoryDialog(context: AppContext): Dialog {
  const { texts, store } = context;
  const list = h('div', { class: 'history-list' });
  const dialog = createDialog(texts.history, texts.close, list, 'drawer');

  const hide = async (view: ConversationView): Promise<void> => {
    const refusal = await context.api.changeConversation(view.conversation_id, { hidden: true }).then(
      () => null,
      (thrown: unknown) => explainCode(toProblem(thrown).code, texts),
    );
    await context.feed.loadConversations();
    draw();
    if (refusal !== null) list.prepend(h('p', { class: 'part-note', role: 'alert' }, refusal));
  };
  const draw = (): void => {
    const views = recentOf(store.getSnapshot().context);
    if (views.length === 0) return replace(list, h('p', { class: 'empty' }, texts.noConversations));
    const rows = views.map((view) => {
      const link = conversationLink(context, view);
      link.addEventListener('click', () => dialog.close());
      return h(
        'li',
        { class: 'history-row' },
        link,
        iconButton(texts.hideConversation, 'remove', () => void hide(view)),
      );
    });
    replace(list, h('ul', { class: 'rows' }, ...rows));
  };
  return {
    element: dialog.element,
    close: dialog.close,
    open() {
      draw();
      dialog.open();
      void context.feed.loadConversations().then(draw);
    },
  };
}
