import type { AppContext } from '../app/context.ts';
import { toProblem } from '../data/problem.ts';
import { outsideLink } from '../ui/button.ts';
import { h, replace } from '../ui/element.ts';
import { explainCode } from '../ui/explain.ts';
import { sanitise } from '../ui/markdown.ts';

/** The product's own help, read beside the conversation. Pages are sanitised like any other page. */
export const FIRST_HELP_PAGE = 'getting-started.html';

type HelpParts = { readonly tools: HTMLElement; readonly body: HTMLElement };

export async function openHelpPage(context: AppContext, parts: HelpParts, page: string): Promise<void> {
  const { texts, language } = context;
  const address = `/help/${language}/${page}`;
  replace(parts.tools, outsideLink(address, texts.openInNewTab));
  replace(parts.body, h('p', { class: 'skeleton', role: 'status' }, texts.loading));
  try {
    const html = await context.api.helpPage(address);
    const article = h('div', { class: 'prose help' });
    article.append(sanitise(html));
    article.addEventListener('click', (event) => followInside(context, parts, event));
    replace(parts.body, article);
    parts.body.scrollTop = 0;
  } catch (thrown) {
    replace(parts.body, h('p', { class: 'empty' }, explainCode(toProblem(thrown).code, texts)));
  }
}

function followInside(context: AppContext, parts: HelpParts, event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const page = /^([a-z0-9-]+\.html)(?:#.*)?$/.exec(link?.getAttribute('href') ?? '')?.[1];
  if (page === undefined || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  void openHelpPage(context, parts, page);
}
