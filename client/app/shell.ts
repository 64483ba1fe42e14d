import { createConversationView } from '../chat/conversation-view.ts';
import { createCitationCard, type CitationCard } from '../chat/citation-card.ts';
import { createHomeView } from '../chat/home-view.ts';
import type { AppState } from '../data/store.ts';
import { FIRST_HELP_PAGE } from '../panels/help-view.ts';
import { createHistoryDialog } from '../panels/history-dialog.ts';
import { createResultsView } from '../panels/results-view.ts';
import { createSettingsView } from '../panels/settings-view.ts';
import { createShortcutsDialog } from '../panels/shortcuts-dialog.ts';
import type { SidePanel } from '../panels/side-panel.ts';
import { appLink, iconButton } from '../ui/button.ts';
import { h, replace, toggle } from '../ui/element.ts';
import { icon } from '../ui/icon.ts';
import { logo } from '../ui/logo.ts';
import type { AppContext } from './context.ts';
import type { Route } from './router.ts';
import { listenForShortcuts } from './shortcuts.ts';
import type { View } from './view.ts';

/*
 * The frame around every screen: head, banner, screen, panel, the one status region.
 * Made again when the language changes; the screen inside is made again when the address changes.
 */
export type Shell = View<AppState> & { show(route: Route): void };

/** A short interruption is repaired before anybody needs to know. */
const BANNER_AFTER_MS = 1500;

export function createShell(context: AppContext, panel: SidePanel, status: HTMLElement): Shell {
  const { texts, store } = context;
  const card = createCitationCard(context);
  const history = createHistoryDialog(context);
  const shortcuts = createShortcutsDialog(texts);
  const banner = h('p', { class: 'banner', role: 'status', hidden: true }, icon('offline', 16), texts.offline);
  const main = h('main', { class: 'screen', id: 'screen', tabindex: -1 });
  const head = createHead(context, () => history.open());
  const skip = h('a', { class: 'skip', href: '#screen' }, texts.skipToContent);
  const column = h('div', { class: 'column' }, head, banner, main);
  const element = h('div', { class: 'shell' }, skip, column, panel.element, card.element, history.element);
  element.append(shortcuts.element, status);
  let screen: View<AppState> | null = null;
  let shownKey = '';
  let shownRoute: Route | null = null;
  let bannerTimer: ReturnType<typeof setTimeout> | undefined;

  const nameWindow = (route: Route): void => {
    const title = titleOf(route, context);
    if (document.title !== title) document.title = title;
  };
  const stopListening = listenForShortcuts({
    focusBox: () => main.querySelector('textarea')?.focus(),
    showSheet: () => shortcuts.open(),
    closePanel: () => {
      const open = panel.isOpen();
      panel.close();
      return open;
    },
    stepSource: (by) => panel.step(by),
  });

  function drawBanner(offline: boolean): void {
    if (!offline) {
      clearTimeout(bannerTimer);
      bannerTimer = undefined;
      if (!banner.hidden) context.announce(texts.connected);
      toggle(banner, false);
    } else {
      bannerTimer ??= setTimeout(() => toggle(banner, true), BANNER_AFTER_MS);
    }
  }

  return {
    element,
    show(route) {
      const key = JSON.stringify(route);
      if (key === shownKey) return;
      shownKey = key;
      screen?.destroy();
      panel.close();
      screen = makeScreen(context, route, card);
      replace(main, screen.element);
      screen.update(store.getSnapshot().context);
      shownRoute = route;
      nameWindow(route);
      if (matchMedia('(pointer: fine)').matches) main.querySelector('textarea')?.focus({ preventScroll: true });
    },
    update(app) {
      drawBanner(app.wire === 'offline');
      screen?.update(app);
      if (shownRoute !== null) nameWindow(shownRoute);
    },
    destroy() {
      stopListening();
      clearTimeout(bannerTimer);
      screen?.destroy();
    },
  };
}

function makeScreen(context: AppContext, route: Route, card: CitationCard): View<AppState> {
  switch (route.name) {
    case 'home':
      return createHomeView(context, route.question);
    case 'conversation':
      return createConversationView(context, route.id, card);
    case 'results':
      return createResultsView(context);
    case 'settings':
      return createSettingsView(context);
  }
}

function titleOf(route: Route, { texts, store }: AppContext): string {
  const brand = '云搜 Yunsou';
  if (route.name === 'results') return `${texts.results} · ${brand}`;
  if (route.name === 'settings') return `${texts.settings} · ${brand}`;
  if (route.name === 'home') return brand;
  const title = store.getSnapshot().context.replica.conversations[route.id]?.title ?? '';
  return title === '' ? brand : `${title} · ${brand}`;
}

function createHead(context: AppContext, openHistory: () => void): HTMLElement {
  const { texts, open, panel } = context;
  const brand = appLink('/', open, logo(), h('span', { class: 'brand-name' }, texts.productName));
  brand.className = 'brand';
  const fresh = appLink('/', open, icon('plus', 18), h('span', { class: 'head-word' }, texts.newConversation));
  fresh.className = 'head-link';
  const results = appLink('/results', open, icon('package', 18), h('span', { class: 'head-word' }, texts.results));
  results.className = 'head-link';
  const settings = appLink('/settings', open, icon('settings', 18));
  settings.className = 'icon-button';
  settings.setAttribute('aria-label', texts.settings);
  settings.title = texts.settings;
  const help: HTMLButtonElement = iconButton(texts.help, 'help', () => panel.openHelp(FIRST_HELP_PAGE, help));
  return h(
    'header',
    { class: 'head' },
    iconButton(texts.history, 'history', openHistory),
    brand,
    h('nav', { class: 'head-nav', 'aria-label': texts.productName }, fresh, results, help, settings),
  );
}
