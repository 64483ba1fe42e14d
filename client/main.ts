import type { Language } from '#contracts/ids.ts';
import { createCommands } from './app/commands.ts';
import type { AppContext } from './app/context.ts';
import { createFeed } from './app/feed.ts';
import { parseRoute } from './app/router.ts';
import { createShell, type Shell } from './app/shell.ts';
import { applyTheme } from './app/theme.ts';
import { createApi } from './data/api.ts';
import { judgeArrival } from './data/cursor.ts';
import { createDrafts } from './data/drafts.ts';
import { followsInstallation, readPreferences, writePreferences, type Preferences } from './data/preferences.ts';
import { cursorOf } from './data/replica.ts';
import { createWire } from './data/socket.ts';
import { createAppStore } from './data/store.ts';
import { createFormat } from './i18n/format.ts';
import { catalogueOf } from './i18n/texts.ts';
import { createSidePanel, type SidePanel } from './panels/side-panel.ts';
import { createSignInView } from './panels/sign-in-view.ts';
import { h } from './ui/element.ts';

/** Introduces the parts to one another. The only file that knows them all. */
const root = document.querySelector('#app') ?? document.body;
const api = createApi();
const store = createAppStore();
let preferences: Preferences = readPreferences(localStorage, navigator.language);
const replica = () => store.getSnapshot().context.replica;

const wire = createWire({
  cursorOf: (stream) => cursorOf(replica(), stream),
  onEvent(event) {
    const arrival = judgeArrival(cursorOf(replica(), event.stream), event.seq);
    if (arrival === 'next') {
      store.trigger.eventArrived({ event });
      if (event.stream.startsWith('task:')) feed.taskMoved(event.stream.slice('task:'.length));
    }
    return arrival !== 'gap';
  },
  onResync: (resync) => store.trigger.resynced(resync),
  onState(state) {
    store.trigger.wireChanged({ wire: state });
    if (state === 'online') commands.flush();
    if (state === 'offline') void checkSession();
  },
});
const feed = createFeed({ api, store, wire });
const drafts = createDrafts(localStorage);
const commands = createCommands({ api, store, drafts, feed, storage: localStorage });

/** A lost connection may be an ended session or an absent server; HTTP tells which. */
async function checkSession(): Promise<void> {
  const session = await api.session().catch(() => null);
  if (session?.signed_in === false) store.trigger.wireChanged({ wire: 'signed_out' });
}

let shell: Shell | null = null;
let frame = 0;

function makeShell(language: Language): Shell {
  const status = h('p', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  let panel: SidePanel | null = null;
  const context: AppContext = {
    api,
    store,
    feed,
    commands,
    drafts,
    language,
    texts: catalogueOf(language),
    format: createFormat(language),
    preferences: () => preferences,
    changePreferences,
    open: openPath,
    announce: (sentence) => void (status.textContent = sentence),
    panel: {
      openSource: (citations, n, from) => panel?.openSource(citations, n, from),
      openHelp: (page, from) => panel?.openHelp(page, from),
      close: () => panel?.close(),
    },
    nowMs: Date.now,
  };
  panel = createSidePanel(() => context);
  return createShell(context, panel, status);
}

function showEverything(): void {
  shell?.destroy();
  document.documentElement.lang = preferences.language;
  if (!store.getSnapshot().context.signedIn) {
    shell = null;
    root.replaceChildren(createSignInView(api, catalogueOf(preferences.language), signedIn));
    return;
  }
  shell = makeShell(preferences.language);
  root.replaceChildren(shell.element);
  shell.show(parseRoute(location.pathname, location.search));
  shell.update(store.getSnapshot().context);
}

function signedIn(): void {
  store.trigger.signedInChanged({ signedIn: true });
  wire.connect();
  commands.flush();
}

function openPath(path: string): void {
  if (path !== location.pathname) history.pushState(null, '', path);
  shell?.show(parseRoute(location.pathname, location.search));
}

function changePreferences(change: Partial<Preferences>): void {
  const before = preferences;
  preferences = { ...preferences, ...change };
  writePreferences(localStorage, preferences);
  applyTheme(preferences.theme);
  if (before.language !== preferences.language) showEverything();
}

async function adoptInstallationLanguage(): Promise<void> {
  const session = await api.session().catch(() => null);
  if (session === null || session.language === preferences.language) return;
  preferences = { ...preferences, language: session.language };
  showEverything();
}

let wasSignedIn = true;
store.subscribe(({ context: state }) => {
  if (state.signedIn !== wasSignedIn) {
    wasSignedIn = state.signedIn;
    showEverything();
    return;
  }
  // Many events in one turn are one drawing; a hidden tab still draws, only later.
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    shell?.update(store.getSnapshot().context);
  });
});

addEventListener('popstate', () => shell?.show(parseRoute(location.pathname, location.search)));
addEventListener('online', () => wire.connect());
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => applyTheme(preferences.theme));
applyTheme(preferences.theme);
showEverything();
if (followsInstallation(localStorage, navigator.language)) void adoptInstallationLanguage();
wire.connect();
commands.flush();
