import type { AppContext } from '../app/context.ts';
import type { View } from '../app/view.ts';
import type { ApiProblem } from '../data/problem.ts';
import type { AppState } from '../data/store.ts';
import { button, iconButton } from '../ui/button.ts';
import { h, replace, setText, toggle } from '../ui/element.ts';
import { explainCode } from '../ui/explain.ts';
import type { CitationCard } from './citation-card.ts';
import { createComposer, storedMode } from './composer.ts';
import { createThread } from './thread-view.ts';
import { lastQuestionOf, threadOf } from './thread-model.ts';

/** One conversation: its name, its messages, and the box for the next one. */
export function createConversationView(context: AppContext, id: string, card: CitationCard): View<AppState> {
  const { texts, commands, store } = context;
  let problem: ApiProblem | null = null;
  const messages = () => store.getSnapshot().context.replica.messages[id] ?? [];
  const send = (text: string, mode = storedMode(id)): void => {
    thread.goToNewest();
    commands.sendMessage({ conversationId: id, text, mode });
  };
  const thread = createThread(context, id, { card, answer: (text) => send(text) });
  const composer = createComposer(context, {
    place: id,
    placeholder: texts.composerFollowUp,
    mode: storedMode(id),
    lastQuestion: () => lastQuestionOf(messages()),
    send,
  });
  const title = h('h1', { class: 'conversation-title' });
  const empty = h('div', { class: 'thread-note', hidden: true });
  const returned = h('p', { class: 'returned', role: 'alert', hidden: true });
  const rename = iconButton(texts.rename, 'edit', () => renameIt(context, id, title.textContent ?? ''));
  const element = h(
    'div',
    { class: 'conversation' },
    h('header', { class: 'conversation-head' }, title, rename),
    thread.element,
    empty,
    h('div', { class: 'dock' }, h('div', { class: 'dock-inner' }, returned, composer.element)),
  );

  const retry = (): void => {
    problem = null;
    close();
    close = context.feed.openConversation(id, failed);
    update(store.getSnapshot().context);
  };
  const failed = (reason: ApiProblem): void => {
    problem = reason;
    update(store.getSnapshot().context);
  };
  let close = context.feed.openConversation(id, failed);

  function update(app: AppState): void {
    const known = app.replica.conversations[id];
    const items = threadOf(id, messages(), app.pending);
    setText(title, known?.title === undefined || known.title === '' ? texts.untitled : known.title);
    thread.update(app);
    drawReturned(returned, app.returned[id], context, () => composer.setText(context.drafts.read(id)));
    const key = items.length > 0 ? '' : (problem?.code ?? (known === undefined ? 'loading' : 'empty'));
    if (empty.dataset['key'] === key) return;
    empty.dataset['key'] = key;
    toggle(empty, key !== '');
    replace(empty, ...emptyNote(key, problem, context, retry));
  }

  return {
    element,
    update,
    destroy() {
      close();
      thread.destroy();
    },
  };
}

function emptyNote(key: string, problem: ApiProblem | null, { texts, open }: AppContext, retry: () => void): Node[] {
  if (key === 'loading') return [h('p', { class: 'skeleton', role: 'status' }, texts.loading)];
  if (key === 'empty' || key === '') return [h('p', {}, texts.conversationEmpty)];
  const missing = problem?.status === 404 || problem?.status === 410;
  return [
    h('p', {}, missing ? texts.conversationMissing : explainCode(key, texts)),
    missing
      ? button(texts.newConversation, { icon: 'plus', press: () => open('/') })
      : button(texts.retry, { icon: 'refresh', press: retry }),
  ];
}

function drawReturned(
  element: HTMLElement,
  problem: ApiProblem | undefined,
  { texts }: AppContext,
  fillBox: () => void,
): void {
  const shown = problem !== undefined;
  if (shown && element.hidden) fillBox();
  toggle(element, shown);
  if (shown) setText(element, `${texts.messageReturned} ${explainCode(problem.code, texts)}`);
}

function renameIt(context: AppContext, id: string, present: string): void {
  const next = prompt(context.texts.renamePrompt, present)?.trim().slice(0, 200);
  if (next === undefined || next === '' || next === present) return;
  void context.api.changeConversation(id, { title: next }).then(
    () => context.feed.loadConversations(),
    () => context.announce(context.texts.errorTitle),
  );
}
