import type { SourceRevisionView } from '#contracts/http/research.ts';
import type { Citation } from '#contracts/research/answer.ts';
import type { AppContext } from '../app/context.ts';
import { hostOf, isLibraryUrl } from '../chat/progress-model.ts';
import { toProblem } from '../data/problem.ts';
import { button, outsideLink } from '../ui/button.ts';
import { h, replace } from '../ui/element.ts';
import { explainCode } from '../ui/explain.ts';
import { icon } from '../ui/icon.ts';
import { drawSourceText } from './source-text.ts';
import { layOutSource, type Mark } from './source-model.ts';

/** The page as it was read then, at the quote. Never the page of today. */
let newest = 0;

export async function showSource(context: AppContext, body: HTMLElement, citation: Citation): Promise<void> {
  const turn = ++newest;
  replace(body, quoteHead(context, citation), h('p', { class: 'skeleton', role: 'status' }, context.texts.loading));
  try {
    const source = await context.api.sourceRevision(citation.source.source_revision_id);
    if (turn === newest) draw(context, body, citation, source, false);
  } catch (thrown) {
    if (turn !== newest) return;
    const again = button(context.texts.retry, {
      icon: 'refresh',
      press: () => void showSource(context, body, citation),
    });
    const words = explainCode(toProblem(thrown).code, context.texts);
    replace(body, quoteHead(context, citation), h('p', { class: 'empty' }, words), again);
  }
}

function draw(
  context: AppContext,
  body: HTMLElement,
  citation: Citation,
  source: SourceRevisionView,
  whole: boolean,
): void {
  const { texts } = context;
  const others = source.spans
    .filter((span) => span.evidence_id !== citation.evidence_id)
    .map((span): Mark => ({ start: span.start, end: span.end, active: false }));
  const active: Mark = { start: citation.start, end: citation.end, active: true };
  const layout = layOutSource(source.text, source.blocks, [active, ...others], whole);
  const drifted = source.text.slice(citation.start, citation.end) !== citation.quote;
  const text = drawSourceText(layout, source.language);
  const more = h('div', { class: 'source-cut' }, h('span', {}, texts.sourceLong));
  more.append(
    button(texts.sourceShowWhole, { look: 'quiet', press: () => draw(context, body, citation, source, true) }),
  );
  replace(
    body,
    quoteHead(context, citation),
    drifted && h('p', { class: 'source-drift', role: 'alert' }, icon('alert', 15), texts.sourceDrift),
    facts(context, source),
    layout.cut && more,
    text,
  );
  text.querySelector('mark.active')?.scrollIntoView({ block: 'center' });
}

function quoteHead({ texts, format }: AppContext, { n, source }: Citation): HTMLElement {
  const place = isLibraryUrl(source.url)
    ? h('span', { class: 'source-place' }, texts.sourceLibraryPage)
    : outsideLink(source.url, hostOf(source.url));
  return h(
    'header',
    { class: 'source-head' },
    h(
      'p',
      { class: 'source-line' },
      h('span', { class: 'citation static' }, String(n)),
      place,
      h('span', {}, texts.captured(format.dateTime(source.retrieved_time))),
    ),
    h('h3', { class: 'source-name', lang: source.language }, source.title),
  );
}

function facts({ texts, format }: AppContext, source: SourceRevisionView): HTMLElement {
  const rows: [string, string | Node][] = [
    [texts.sourceAddress, h('span', { class: 'technical' }, source.final_url)],
    [texts.sourceRetrieved, format.dateTime(source.retrieved_time)],
    [texts.sourceMethod, source.method === 'browser' ? texts.methodBrowser : texts.methodHttp],
    [texts.sourceLanguage, source.language],
    [texts.sourceHash, h('code', { class: 'technical' }, `SHA-256 ${source.content_hash}`)],
    [texts.sourceParser, source.parser_version],
  ];
  const unread = source.unread.map((one) => `${one.what}: ${one.reason}`).join('; ');
  if (unread !== '') rows.push([texts.sourceUnread, unread]);
  const list = h('dl', { class: 'facts' });
  for (const [name, value] of rows) list.append(h('dt', {}, name), h('dd', {}, value));
  return h('details', { class: 'source-facts' }, h('summary', {}, texts.details), list);
}
