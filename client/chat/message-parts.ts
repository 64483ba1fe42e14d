import type { MessagePart, MessageView } from '#contracts/actors/conversation.ts';
import type { AppContext } from '../app/context.ts';
import type { View } from '../app/view.ts';
import type { AppState } from '../data/store.ts';
import { h } from '../ui/element.ts';
import { createArtifactCard } from './artifact-card.ts';
import type { CitationCard } from './citation-card.ts';
import { createClarificationPart } from './clarification-part.ts';
import { createPlanPart } from './plan-part.ts';
import { createProgressCard } from './progress-card.ts';
import { createSourcesPart } from './sources-part.ts';
import { createTextPart } from './text-part.ts';

export type PartState = { readonly part: MessagePart; readonly message: MessageView; readonly app: AppState };
export type PartTools = { readonly card: CitationCard; readonly answer: (text: string) => void };

/** The view of one typed part. A kind this page does not know is a labelled box, never nothing. */
export function createPart(context: AppContext, tools: PartTools, part: MessagePart): View<PartState> {
  switch (part.kind) {
    case 'text': {
      const view = createTextPart(context, tools.card);
      return adapt(view, 'text', ({ part: own, message }) => ({
        part: own,
        citations: citationsOf(message),
      }));
    }
    case 'progress':
      return adaptApp(createProgressCard(context, part.task_id), ({ app }) => app);
    case 'citation':
      return adapt(createSourcesPart(context), 'citation', ({ part: own }) => own);
    case 'artifact':
      return adapt(createArtifactCard(context), 'artifact', ({ part: own }) => own);
    case 'clarification':
      return adapt(createClarificationPart(context, tools.answer), 'clarification', ({ part: own }) => own);
    case 'plan':
      return adapt(createPlanPart(context, part.task_id), 'plan', ({ part: own, app }) => ({ part: own, app }));
    case 'authorization':
      return fixed(h('p', { class: 'part-note' }, `${part.summary} ${context.texts.authorizationPart}`));
    default:
      return fixed(h('p', { class: 'part-note' }, context.texts.unknownPart(kindOf(part))));
  }
}

const kindOf = (part: { kind?: unknown }): string => (typeof part.kind === 'string' ? part.kind.slice(0, 60) : '?');

export const citationsOf = (message: MessageView) =>
  message.parts.flatMap((part) => (part.kind === 'citation' ? part.citations : []));

type PartOf<K extends MessagePart['kind']> = Extract<MessagePart, { kind: K }>;

function adapt<K extends MessagePart['kind'], S>(
  view: View<S>,
  kind: K,
  pick: (state: PartState & { part: PartOf<K> }) => S,
): View<PartState> {
  return {
    element: view.element,
    destroy: view.destroy,
    update(state) {
      if (state.part.kind === kind) view.update(pick({ ...state, part: state.part as PartOf<K> }));
    },
  };
}

const adaptApp = <S>(view: View<S>, pick: (state: PartState) => S): View<PartState> => ({
  element: view.element,
  destroy: view.destroy,
  update: (state) => view.update(pick(state)),
});

const fixed = (element: HTMLElement): View<PartState> => ({
  element,
  update: () => undefined,
  destroy: () => undefined,
});
