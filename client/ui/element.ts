/** Makes elements without templates: everything is text or an element, so nothing is ever parsed as HTML. */
type AttributeValue = string | number | boolean | null | undefined | ((event: never) => void);
export type Attributes = Readonly<Record<string, AttributeValue>>;
export type Child = Node | string | null | undefined | false;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  append(element, children);
  return element;
}

function setAttribute(element: HTMLElement, name: string, value: AttributeValue): void {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === 'function') return element.addEventListener(name.slice(2), value as EventListener);
  element.setAttribute(name, value === true ? '' : String(value));
}

export function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) if (child !== null && child !== undefined && child !== false) parent.append(child);
}

export const replace = (parent: Element, ...children: readonly Child[]): void => {
  parent.replaceChildren();
  append(parent, children);
};

/** Writes only a real change: a text node that stays keeps the reader's selection. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export const toggle = (element: HTMLElement, shown: boolean): void => {
  if (element.hidden === shown) element.hidden = !shown;
};
