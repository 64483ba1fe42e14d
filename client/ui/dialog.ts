import { iconButton } from './button.ts';
import { h } from './element.ts';

export type Dialog = { readonly element: HTMLDialogElement; open(): void; close(): void };

/** The browser's own modal dialog: focus stays inside, Escape closes it, focus goes back. */
export function createDialog(title: string, closeLabel: string, body: HTMLElement, look: 'sheet' | 'drawer'): Dialog {
  const element: HTMLDialogElement = h(
    'dialog',
    { class: look, 'aria-label': title },
    h(
      'header',
      { class: 'dialog-head' },
      h('h2', {}, title),
      iconButton(closeLabel, 'close', () => element.close()),
    ),
    body,
  );
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close();
  });
  return { element, open: () => element.showModal(), close: () => element.close() };
}
