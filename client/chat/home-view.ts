import type { ConversationView } from '#contracts/actors/conversation.ts';
import type { ArtifactView } from '#contracts/http/research.ts';
import type { ChatMode } from '#contracts/research/task-spec.ts';
import { conversationPath } from '../app/router.ts';
import type { AppContext } from '../app/context.ts';
import type { View } from '../app/view.ts';
import { NEW_CONVERSATION_PLACE } from '../data/drafts.ts';
import { toProblem } from '../data/problem.ts';
import type { AppState } from '../data/store.ts';
import type { Catalogue } from '../i18n/en.ts';
import { SUGGESTIONS } from '../i18n/texts.ts';
import { appLink } from '../ui/button.ts';
import { h, replace } from '../ui/element.ts';
import { explainCode } from '../ui/explain.ts';
import { icon } from '../ui/icon.ts';
import { guessLanguage } from '../ui/text-language.ts';
import { createComposer, storedMode, storeMode } from './composer.ts';

const RECENT = 5;

/** The first screen: one box, what can be asked, and what there is already. Nothing invented. */
export function createHomeView(context: AppContext, question: string): View<AppState> {
  const { texts, commands, open } = context;
  const send = (text: string, mode: ChatMode): void => {
    const id = commands.sendMessage({ conversationId: null, text, mode });
    storeMode(id, mode);
    open(conversationPath(id));
  };
  const composer = createComposer(context, {
    place: NEW_CONVERSATION_PLACE,
    placeholder: texts.composerPlaceholder,
    mode: storedMode(NEW_CONVERSATION_PLACE),
    lastQuestion: () => '',
    send,
  });
  if (question !== '') composer.setText(question);
  const suggestions = SUGGESTIONS[context.language].map((text) =>
    h('button', { type: 'button', class: 'suggestion', onclick: () => send(text, 'smart') }, text),
  );
  const recent = h('div', { class: 'home-list' });
  const results = h('div', { class: 'home-list' });
  const element = h(
    'div',
    { class: 'home' },
    h(
      'div',
      { class: 'home-centre' },
      h('h1', { class: 'greeting' }, greetingAt(new Date(context.nowMs()).getHours(), texts)),
      h('p', { class: 'greeting-lead' }, texts.greetingLead),
      composer.element,
      composer.meaning,
      h('section', { class: 'suggestions', 'aria-label': texts.tryThese }, ...suggestions),
    ),
    h(
      'div',
      { class: 'home-lists' },
      listSection(texts.recentConversations, recent),
      listSection(texts.results, results),
    ),
  );
  void loadResults(context, results);
  void context.feed.loadConversations();
  let shown = '';
  return {
    element,
    update(app) {
      const views = recentOf(app);
      const key = `${app.listLoaded}${JSON.stringify(views)}`;
      if (key === shown) return;
      shown = key;
      if (app.listLoaded) drawRecent(context, recent, views);
    },
    destroy: () => undefined,
  };
}

export const recentOf = (app: AppState): readonly ConversationView[] =>
  Object.values(app.replica.conversations)
    .filter((view) => !view.hidden)
    .toSorted((a, b) => b.updated_time.localeCompare(a.updated_time));

function greetingAt(hour: number, texts: Catalogue): string {
  if (hour >= 5 && hour < 12) return texts.greetingMorning;
  return hour >= 12 && hour < 18 ? texts.greetingAfternoon : texts.greetingEvening;
}

const listSection = (heading: string, list: HTMLElement): HTMLElement =>
  h('section', { class: 'home-section' }, h('h2', { class: 'home-heading' }, heading), list);

function drawRecent(context: AppContext, list: HTMLElement, views: readonly ConversationView[]): void {
  const { texts } = context;
  if (views.length === 0) return replace(list, h('p', { class: 'empty' }, texts.noConversations));
  const rows = views.slice(0, RECENT).map((view) => h('li', {}, conversationLink(context, view)));
  replace(list, h('ul', { class: 'rows' }, ...rows));
}

export function conversationLink(context: AppContext, view: ConversationView): HTMLAnchorElement {
  const title = view.title === '' ? context.texts.untitled : view.title;
  const link = appLink(
    conversationPath(view.conversation_id),
    context.open,
    h('span', { class: 'row-title', lang: guessLanguage(title) }, title),
    h(
      'time',
      { class: 'row-time', datetime: view.updated_time },
      context.format.relative(view.updated_time, context.nowMs()),
    ),
  );
  link.className = 'row';
  return link;
}

async function loadResults(context: AppContext, list: HTMLElement): Promise<void> {
  const { texts, api, open } = context;
  let artifacts: readonly ArtifactView[];
  try {
    artifacts = await api.artifacts();
  } catch (thrown) {
    return replace(list, h('p', { class: 'empty' }, explainCode(toProblem(thrown).code, texts)));
  }
  if (artifacts.length === 0) return replace(list, h('p', { class: 'empty' }, texts.noResults));
  const rows = artifacts.slice(0, RECENT).map((artifact) => {
    const link = appLink(
      '/results',
      open,
      icon('package', 16),
      h('span', { class: 'row-title', lang: guessLanguage(artifact.title) }, artifact.title),
      h('time', { class: 'row-time' }, context.format.relative(artifact.created_time, context.nowMs())),
    );
    link.className = 'row';
    return h('li', {}, link);
  });
  replace(list, h('ul', { class: 'rows' }, ...rows));
}
