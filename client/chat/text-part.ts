import type { MessagePart } from '#contracts/actors/conversation.ts';
import type { Citation } from '#contracts/research/answer.ts';
import type { AppContext } from '../app/context.ts';
import type { View } from '../app/view.ts';
import { h } from '../ui/element.ts';
import { createMarkdownView } from '../ui/markdown.ts';
import type { CitationCard } from './citation-card.ts';

export type TextPartState = {
  readonly part: Extract<MessagePart, { kind: 'text' }>;
  readonly citations: readonly Citation[];
};

export function createTextPart(context: AppContext, card: CitationCard): View<TextPartState> {
  let citations: readonly Citation[] = [];
  const known = (): ReadonlySet<number> => new Set(citations.map((one) => one.n));
  const markdown = createMarkdownView(known, (n) => citationButton(context, card, () => citations, n));
  return {
    element: markdown.element,
    update(state) {
      citations = state.citations;
      markdown.update(state.part.markdown);
    },
    destroy: () => undefined,
  };
}

/** `[n]`: hover or focus shows the card, a press opens the source at the quote. */
export function citationButton(
  context: AppContext,
  card: CitationCard,
  citations: () => readonly Citation[],
  n: number,
): HTMLButtonElement {
  const citation = citations().find((one) => one.n === n);
  const label = citation === undefined ? context.texts.citationMissing(n) : citation.source.title;
  const element = h(
    'button',
    {
      type: 'button',
      class: 'citation',
      'data-citation': n,
      'aria-label': context.texts.citationLabel(n, label),
      onclick: () => context.panel.openSource(citations(), n, element),
    },
    String(n),
  );
  if (citation !== undefined) card.attach(element, citation);
  return element;
}
