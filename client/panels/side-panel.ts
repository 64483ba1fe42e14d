import type { Citation } from '#contracts/research/answer.ts';
import type { AppContext, PanelControl } from '../app/context.ts';
import { clampPanelWidth } from '../data/preferences.ts';
import { iconButton } from '../ui/button.ts';
import { h, replace, setText, toggle } from '../ui/element.ts';
import { openHelpPage } from './help-view.ts';
import { showSource } from './source-view.ts';

/*
 * The panel on the right; a full-screen sheet on narrow windows.
 * Owns:     what is open, its width, where focus goes back to.
 * Owns not: the contents.
 *   1. Closing returns focus to what opened it, if that is still there.
 *   2. Escape closes it, unless an input method or a dialog is using Escape.
 */

type PanelParts = { element: HTMLElement; title: HTMLElement; tools: HTMLElement; body: HTMLElement };
export type SidePanel = PanelControl & { readonly element: HTMLElement; step(by: 1 | -1): boolean; isOpen(): boolean };

export function createSidePanel(context: () => AppContext): SidePanel {
  const { texts } = context();
  const parts = buildPanel(context, () => close());
  const { element, title, tools, body } = parts;
  let opener: HTMLElement | null = null;
  let citations: readonly Citation[] = [];
  let at = 0;

  const reveal = (from: HTMLElement, name: string): void => {
    if (!element.contains(from)) opener = from;
    toggle(element, true);
    setText(title, name);
    element.setAttribute('aria-label', name);
    title.focus({ preventScroll: true });
  };
  const close = (): void => {
    if (element.hidden) return;
    toggle(element, false);
    citations = [];
    markOpen(null);
    if (opener?.isConnected === true) opener.focus();
  };
  const show = (index: number): void => {
    at = index;
    const citation = citations[index];
    if (citation === undefined) return;
    drawSteps(context(), tools, { index, total: citations.length, show });
    markOpen(citation.n);
    void showSource(context(), body, citation);
  };

  return {
    element,
    isOpen: () => !element.hidden,
    close,
    openSource(all, n, from) {
      citations = all;
      reveal(from, texts.sourcePanel);
      const index = all.findIndex((one) => one.n === n);
      show(Math.max(0, index));
    },
    openHelp(page, from) {
      citations = [];
      markOpen(null);
      reveal(from, texts.help);
      void openHelpPage(context(), parts, page);
    },
    step(by) {
      if (element.hidden || citations[at + by] === undefined) return false;
      show(at + by);
      return true;
    },
  };
}

function buildPanel(context: () => AppContext, close: () => void): PanelParts {
  const { texts } = context();
  const title = h('h2', { class: 'panel-title', tabindex: -1 });
  const tools = h('div', { class: 'panel-tools' });
  const body = h('div', { class: 'panel-body' });
  const element = h(
    'aside',
    { class: 'panel', hidden: true, 'aria-label': texts.sourcePanel },
    resizer(context),
    h('header', { class: 'panel-head' }, title, tools, iconButton(texts.close, 'close', close)),
    body,
  );
  return { element, title, tools, body };
}

type Steps = { readonly index: number; readonly total: number; readonly show: (index: number) => void };

function drawSteps({ texts }: AppContext, tools: HTMLElement, { index, total, show }: Steps): void {
  const previous = iconButton(texts.previousSource, 'back', () => show(index - 1));
  const next = iconButton(texts.nextSource, 'next', () => show(index + 1));
  previous.disabled = index === 0;
  next.disabled = index === total - 1;
  const hadFocus = tools.contains(document.activeElement);
  const wasPrevious = tools.firstElementChild === document.activeElement;
  replace(tools, previous, h('span', { class: 'panel-count' }, texts.sourceOf(index + 1, total)), next);
  // The pressed button was replaced; the keyboard stays where it was.
  if (hadFocus) ((wasPrevious || next.disabled) && !previous.disabled ? previous : next).focus();
}

/** The citation whose source is open is marked in the answer. */
function markOpen(n: number | null): void {
  for (const button of document.querySelectorAll<HTMLElement>('.citation')) {
    button.classList.toggle('open', n !== null && button.dataset['citation'] === String(n));
  }
}

const KEY_STEP_PX = 24;

function resizer(context: () => AppContext): HTMLElement {
  const { texts, preferences, changePreferences } = context();
  const apply = (width: number): void => {
    const clamped = clampPanelWidth(Math.min(width, innerWidth - 360));
    document.documentElement.style.setProperty('--panel-width', `${clamped}px`);
    handle.setAttribute('aria-valuenow', String(clamped));
    changePreferences({ panelWidth: clamped });
  };
  const handle = h('div', {
    class: 'panel-resizer',
    role: 'separator',
    tabindex: 0,
    'aria-orientation': 'vertical',
    'aria-label': texts.resizePanel,
    'aria-valuemin': 340,
    'aria-valuemax': 900,
    'aria-valuenow': preferences().panelWidth,
  });
  document.documentElement.style.setProperty('--panel-width', `${preferences().panelWidth}px`);
  handle.addEventListener('pointerdown', (event) => {
    handle.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent): void => apply(innerWidth - moved.clientX);
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', () => handle.removeEventListener('pointermove', move), { once: true });
  });
  handle.addEventListener('keydown', (event) => {
    const by = event.key === 'ArrowLeft' ? KEY_STEP_PX : event.key === 'ArrowRight' ? -KEY_STEP_PX : 0;
    if (by === 0) return;
    event.preventDefault();
    apply(preferences().panelWidth + by);
  });
  return handle;
}
