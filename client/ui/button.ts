import { h } from './element.ts';
import { icon, type IconName } from './icon.ts';

export type ButtonLook = 'plain' | 'quiet' | 'strong' | 'danger';
type ButtonOptions = { icon?: IconName; look?: ButtonLook; press: () => void };

export function button(label: string, options: ButtonOptions): HTMLButtonElement {
  const element = h('button', { type: 'button', class: `button ${options.look ?? 'plain'}`, onclick: options.press });
  if (options.icon !== undefined) element.append(icon(options.icon, 16));
  element.append(h('span', {}, label));
  return element;
}

/** The label is its name and its tooltip. */
export function iconButton(label: string, name: IconName, press: () => void): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick: press },
    icon(name),
  );
}

/** A link inside the application: a real address, followed without loading the page again. */
export function appLink(path: string, open: (path: string) => void, ...children: (Node | string)[]): HTMLAnchorElement {
  return h(
    'a',
    {
      href: path,
      onclick: (event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        open(path);
      },
    },
    ...children,
  );
}

export function outsideLink(url: string, ...children: (Node | string)[]): HTMLAnchorElement {
  return h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, ...children);
}
