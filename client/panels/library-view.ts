import type { LibraryRootView } from '#contracts/http/library.ts';
import type { AppContext } from '../app/context.ts';
import { toProblem } from '../data/problem.ts';
import type { Catalogue } from '../i18n/en.ts';
import { button } from '../ui/button.ts';
import { h, replace, setText, toggle } from '../ui/element.ts';
import { explainCode } from '../ui/explain.ts';
import { icon } from '../ui/icon.ts';

/** Folders that may be searched and read. While one is being indexed its state is asked for again. */
const POLL_MS = 1500;

export function createLibraryView(context: AppContext): HTMLElement {
  const { texts, api } = context;
  const list = h('div', { class: 'root-list' }, h('p', { class: 'skeleton', role: 'status' }, texts.loading));
  const failure = h('p', { class: 'form-failure', role: 'alert', hidden: true });

  const fail = (thrown: unknown): void => {
    const problem = toProblem(thrown);
    setText(failure, explainCode(problem.code, texts));
    failure.title = problem.detail;
    toggle(failure, true);
  };
  async function act(work: () => Promise<unknown>): Promise<void> {
    toggle(failure, false);
    try {
      await work();
    } catch (thrown) {
      fail(thrown);
    }
    await load();
  }
  async function load(): Promise<void> {
    try {
      const { roots } = await api.library();
      drawRoots(context, list, roots, act);
      const busy = roots.some((root) => root.state === 'waiting' || root.state === 'indexing');
      if (busy) setTimeout(() => element.isConnected && void load(), POLL_MS);
    } catch (thrown) {
      replace(list, h('p', { class: 'empty' }, explainCode(toProblem(thrown).code, texts)));
      list.append(button(texts.retry, { icon: 'refresh', press: () => void load() }));
    }
  }
  const element = h(
    'section',
    { class: 'settings-section' },
    h('h2', { class: 'section-heading' }, texts.library),
    h('p', { class: 'hint' }, texts.libraryLead),
    list,
    folderForm(context, act),
    failure,
  );
  void load();
  return element;
}

type Act = (work: () => Promise<unknown>) => Promise<void>;

function folderForm({ texts, api }: AppContext, act: Act): HTMLElement {
  const path = h('input', {
    id: 'folder',
    type: 'text',
    name: 'path',
    required: true,
    maxlength: 4000,
    spellcheck: 'false',
  });
  const add = h('button', { type: 'submit', class: 'button' }, icon('folder', 16), h('span', {}, texts.libraryAdd));
  const form = h(
    'form',
    { class: 'folder-form' },
    h('label', { for: 'folder' }, texts.libraryPath),
    h('div', { class: 'field-row' }, path, add),
    h('p', { class: 'hint' }, texts.libraryPathHint),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    add.disabled = true;
    void act(() => api.approveFolder(path.value.trim())).finally(() => (add.disabled = false));
  });
  return form;
}

function drawRoots(context: AppContext, list: HTMLElement, roots: readonly LibraryRootView[], act: Act): void {
  if (roots.length === 0) return replace(list, h('p', { class: 'empty' }, context.texts.libraryEmpty));
  replace(list, h('ul', { class: 'roots' }, ...roots.map((root) => rootRow(context, root, act))));
}

function rootRow({ texts, api }: AppContext, root: LibraryRootView, act: Act): HTMLElement {
  const name = root.kind === 'folder' ? root.label : kindName(root.kind, texts);
  const actions = h('div', { class: 'root-actions' });
  actions.append(
    button(texts.libraryReindex, {
      icon: 'refresh',
      look: 'quiet',
      press: () => void act(() => api.reindexRoot(root.root_id)),
    }),
  );
  const remove = (): void => {
    if (confirm(texts.libraryRemoveAsk(name))) void act(() => api.withdrawRoot(root.root_id));
  };
  if (root.kind === 'folder')
    actions.append(button(texts.libraryRemove, { icon: 'remove', look: 'quiet', press: remove }));
  return h(
    'li',
    { class: 'root', 'data-state': root.state },
    h(
      'div',
      { class: 'root-text' },
      h('p', { class: 'root-name' }, name),
      h('p', { class: 'root-path technical' }, root.path),
      h('p', { class: 'root-state' }, stateWords(root, texts)),
      root.failed.length > 0 && failedFiles(root, texts),
    ),
    actions,
  );
}

function failedFiles(root: LibraryRootView, texts: Catalogue): HTMLElement {
  const rows = root.failed.slice(0, 100).map((one) => h('li', {}, `${one.path}: ${one.reason}`));
  return h(
    'details',
    {},
    h('summary', {}, texts.libraryFailed(root.failed.length)),
    h('ul', { class: 'technical' }, ...rows),
  );
}

function stateWords(root: LibraryRootView, texts: Catalogue): string {
  const words: Record<LibraryRootView['state'], string> = {
    waiting: texts.libraryWaiting,
    indexing: texts.libraryIndexing,
    ready: texts.libraryReady,
    failed: texts.libraryStateFailed,
  };
  return [words[root.state], texts.libraryPages(root.pages), root.message ?? '']
    .filter((one) => one !== '')
    .join(' · ');
}

function kindName(kind: LibraryRootView['kind'], texts: Catalogue): string {
  const words: Record<LibraryRootView['kind'], string> = {
    help: texts.kindHelp,
    npm_docs: texts.kindNpm,
    node_docs: texts.kindNode,
    folder: texts.kindFolder,
  };
  return words[kind];
}
