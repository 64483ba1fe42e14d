import type { MessagePart } from '#contracts/actors/conversation.ts';
import type { Citation } from '#contracts/research/answer.ts';
import type { Gap } from '#contracts/research/evidence.ts';
import type { AppContext } from '../app/context.ts';
import type { View } from '../app/view.ts';
import { writeNumbers } from '../ui/citation-marks.ts';
import { h, replace } from '../ui/element.ts';
import { icon } from '../ui/icon.ts';
import { guessLanguage } from '../ui/text-language.ts';
import { hostOf, isLibraryUrl } from './progress-model.ts';

type CitationPart = Extract<MessagePart, { kind: 'citation' }>;

/** The pages behind an answer, and plainly what the answer does not have. */
export function createSourcesPart(context: AppContext): View<CitationPart> {
  const element = h('div', { class: 'sources-part' });
  return {
    element,
    update(part) {
      replace(
        element,
        part.gaps.length > 0 && gapList(context, part.gaps),
        part.citations.length > 0 && sourceList(context, part.citations),
        h('p', { class: 'engine-label' }, context.texts.engineExtractive),
      );
    },
    destroy: () => undefined,
  };
}

function sourceList(context: AppContext, citations: readonly Citation[]): HTMLElement {
  const pages = new Map<string, Citation[]>();
  for (const citation of citations) {
    const key = citation.source.source_revision_id;
    pages.set(key, [...(pages.get(key) ?? []), citation]);
  }
  return h(
    'section',
    { class: 'sources' },
    h('h3', { class: 'part-heading' }, context.texts.sources),
    h('ol', { class: 'source-list' }, ...[...pages.values()].map((group) => sourceRow(context, group, citations))),
  );
}

function sourceRow(context: AppContext, group: readonly Citation[], all: readonly Citation[]): HTMLElement {
  const { texts, panel } = context;
  const [first] = group;
  if (first === undefined) return h('li');
  const { source } = first;
  const open: HTMLButtonElement = h(
    'button',
    { type: 'button', class: 'source-row', onclick: () => panel.openSource(all, first.n, open) },
    h('span', { class: 'source-numbers' }, writeNumbers(group.map((one) => one.n))),
    h('span', { class: 'source-title', lang: source.language }, source.title),
    h('span', { class: 'source-host' }, isLibraryUrl(source.url) ? texts.library : hostOf(source.url)),
  );
  return h('li', {}, open);
}

function gapList({ texts }: AppContext, gaps: readonly Gap[]): HTMLElement {
  const words: Record<Gap['reason'], string> = {
    not_found: texts.gapNotFound,
    not_disclosed: texts.gapNotDisclosed,
    not_applicable: texts.gapNotApplicable,
    access_blocked: texts.gapAccessBlocked,
    source_conflict: texts.gapSourceConflict,
    parse_failed: texts.gapParseFailed,
    not_requested: texts.gapNotRequested,
  };
  const rows = gaps.map((gap) =>
    h(
      'li',
      {},
      h('span', { class: 'gap-what', lang: guessLanguage(gap.what) }, gap.what),
      h('span', { class: 'gap-reason' }, words[gap.reason]),
    ),
  );
  return h(
    'section',
    { class: 'gaps' },
    h('h3', { class: 'part-heading' }, icon('alert', 15), texts.gaps),
    h('ul', { class: 'gap-list' }, ...rows),
  );
}
