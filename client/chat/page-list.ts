import type { AppContext } from '../app/context.ts';
import type { View } from '../app/view.ts';
import { h, replace } from '../ui/element.ts';
import { hostOf, isLibraryUrl, type PageRow, type ProgressModel } from './progress-model.ts';
import { pageWord } from './progress-words.ts';

/** The searches and pages of one task, each with its state and where it is from. */
export function createPageList(context: AppContext): View<ProgressModel> {
  const element = h('div', { class: 'page-list' });
  let shown = '';
  return {
    element,
    update(model) {
      const key = JSON.stringify([model.queries, model.pages]);
      if (key === shown) return;
      shown = key;
      const queries = model.queries.map((query) => h('p', { class: 'query' }, context.texts.searchedFor(query)));
      const rows = model.pages.map((page) => pageRow(context, page));
      replace(element, ...queries, h('ul', {}, ...rows));
    },
    destroy: () => undefined,
  };
}

function pageRow({ texts }: AppContext, page: PageRow): HTMLElement {
  const host = isLibraryUrl(page.url) ? texts.library : hostOf(page.url);
  const name = page.title === '' ? lastSegment(page.url) : page.title;
  return h(
    'li',
    { class: 'page-row', 'data-state': page.state },
    h('span', { class: 'page-dot', 'aria-hidden': 'true' }),
    h('span', { class: 'page-name', title: page.url }, name),
    h('span', { class: 'page-host' }, host),
    h('span', { class: 'page-state' }, pageWord(page.state, texts)),
    page.reason !== '' && h('span', { class: 'page-reason' }, page.reason),
  );
}

function lastSegment(url: string): string {
  try {
    const { pathname, host } = new URL(url);
    return decodeURIComponent(pathname.split('/').findLast((one) => one !== '') ?? host);
  } catch {
    return url;
  }
}
