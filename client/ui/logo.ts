import { h } from './element.ts';

/** The mark beside the name; decoration, the name is text. */
export function logo(): HTMLImageElement {
  return h('img', { class: 'logo', src: '/favicon.svg', alt: '', width: 28, height: 28 });
}
