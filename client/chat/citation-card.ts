import type { Citation } from '#contracts/research/answer.ts';
import type { AppContext } from '../app/context.ts';
import { h, replace } from '../ui/element.ts';
import { hostOf, isLibraryUrl } from './progress-model.ts';

/*
 * The card beside a citation, on hover and on focus. One for the whole page.
 * Escape hides it; moving onto the card keeps it; a press on the citation opens the panel instead.
 */
export type CitationCard = {
  attach(button: HTMLElement, citation: Citation): void;
  readonly element: HTMLElement;
};

const SHOW_AFTER_MS = 140;
const HIDE_AFTER_MS = 160;
const QUOTE_CHARS = 320;

export function createCitationCard(context: AppContext): CitationCard {
  const element = h('div', { class: 'citation-card', id: 'citation-card', role: 'tooltip', hidden: true });
  let timer: ReturnType<typeof setTimeout> | undefined;

  const later = (delayMs: number, run: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(run, delayMs);
  };
  const hide = (): void => {
    clearTimeout(timer);
    element.hidden = true;
  };
  const show = (anchor: HTMLElement, citation: Citation): void => {
    if (!anchor.isConnected) return;
    fill(element, context, citation);
    element.hidden = false;
    place(element, anchor);
  };
  element.addEventListener('mouseenter', () => clearTimeout(timer));
  element.addEventListener('mouseleave', () => later(HIDE_AFTER_MS, hide));

  return {
    element,
    attach(anchor, citation) {
      anchor.addEventListener('mouseenter', () => later(SHOW_AFTER_MS, () => show(anchor, citation)));
      anchor.addEventListener('mouseleave', () => later(HIDE_AFTER_MS, hide));
      anchor.addEventListener('focus', () => {
        if (anchor.matches(':focus-visible')) show(anchor, citation);
      });
      anchor.addEventListener('blur', hide);
      anchor.addEventListener('click', hide);
      anchor.addEventListener('keydown', (event) => {
        if (event.key !== 'Escape' || element.hidden) return;
        event.stopPropagation();
        hide();
      });
    },
  };
}

function fill(element: HTMLElement, { texts, format }: AppContext, citation: Citation): void {
  const { source, quote } = citation;
  const host = isLibraryUrl(source.url) ? texts.sourceLibraryPage : hostOf(source.url);
  const short = quote.length > QUOTE_CHARS ? `${quote.slice(0, QUOTE_CHARS)}…` : quote;
  replace(
    element,
    h('p', { class: 'card-title', lang: source.language }, source.title),
    h('p', { class: 'card-meta' }, `${host} · ${texts.captured(format.dateTime(source.retrieved_time))}`),
    h('blockquote', { class: 'card-quote', lang: source.language }, short),
  );
}

/** Below the citation, or above it when there is no room; never outside the window. */
function place(element: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = element;
  const left = Math.max(12, Math.min(at.left + at.width / 2 - width / 2, innerWidth - width - 12));
  const below = at.bottom + 8;
  const top = below + height > innerHeight - 12 ? Math.max(12, at.top - height - 8) : below;
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
}
