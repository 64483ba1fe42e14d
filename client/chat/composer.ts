import type { ChatMode } from '#contracts/research/task-spec.ts';
import type { AppContext } from '../app/context.ts';
import { h, setText, toggle } from '../ui/element.ts';
import { icon } from '../ui/icon.ts';
import { checkText, judgeKey, MAX_TEXT_CHARS } from './composer-model.ts';
import { createModePicker } from './mode-picker.ts';

/*
 * The box people write into.
 *   1. A key that belongs to an input method never sends and never cancels.
 *   2. The text is emptied in the same turn in which it is sent: a second press finds nothing to send.
 *   3. Nothing ever locks the text: what cannot be sent now can still be edited.
 */

/** Longer texts are not written to storage on every key press. */
const MAX_DRAFT_CHARS = 200_000;
/** Far more than can be sent; laying it out would hold the page up. It stays on the clipboard. */
const MAX_PASTE_CHARS = 100_000;

export type ComposerOptions = {
  readonly place: string;
  readonly placeholder: string;
  readonly mode: ChatMode;
  readonly lastQuestion: () => string;
  readonly send: (text: string, mode: ChatMode) => void;
};
export type Composer = {
  readonly element: HTMLFormElement;
  readonly box: HTMLTextAreaElement;
  readonly meaning: HTMLElement;
  setText(text: string): void;
};

export function createComposer(context: AppContext, options: ComposerOptions): Composer {
  const { texts, format, drafts } = context;
  const box = h('textarea', {
    class: 'composer-box',
    rows: 1,
    placeholder: options.placeholder,
    'aria-label': texts.composerLabel,
    enterkeyhint: 'send',
    spellcheck: 'true',
  });
  const warning = h('p', { class: 'composer-warning', role: 'alert', hidden: true });
  const submit = h(
    'button',
    { type: 'submit', class: 'send', 'aria-label': texts.send, title: texts.send },
    icon('send', 20),
  );
  const picker = createModePicker(texts, options.mode, (mode) => localStorage.setItem(modeKey(options.place), mode));
  const element = h(
    'form',
    { class: 'composer', novalidate: true },
    box,
    h('div', { class: 'composer-row' }, picker.element, submit),
    warning,
  );

  const changed = (): void => {
    const check = checkText(box.value);
    box.classList.toggle('huge', check.tooLong);
    submit.disabled = !check.sendable;
    const [count, limit] = [format.number(box.value.length), format.number(MAX_TEXT_CHARS)];
    toggle(warning, check.nearLimit);
    warning.classList.toggle('too-long', check.tooLong);
    if (check.nearLimit) setText(warning, (check.tooLong ? texts.composerTooLong : texts.composerCount)(count, limit));
    fitHeight(box);
  };
  const setBox = (text: string): void => {
    box.value = text;
    changed();
  };
  const send = (): void => {
    const text = box.value;
    if (!checkText(text).sendable) return changed();
    setBox('');
    options.send(text, picker.chosen());
    drafts.write(options.place, box.value);
  };

  box.addEventListener('input', () => {
    changed();
    if (box.value.length <= MAX_DRAFT_CHARS) drafts.write(options.place, box.value);
  });
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
  listenToKeys(box, options, send, setBox);
  refuseHugePaste(box, (count) => {
    setText(warning, texts.composerTooLong(format.number(count), format.number(MAX_TEXT_CHARS)));
    toggle(warning, true);
  });
  setBox(drafts.read(options.place));
  return { element, box, meaning: picker.meaning, setText: setBox };
}

function listenToKeys(
  box: HTMLTextAreaElement,
  options: ComposerOptions,
  send: () => void,
  setBox: (text: string) => void,
): void {
  let compositionJustEnded = false;
  box.addEventListener('compositionend', () => {
    compositionJustEnded = true;
    setTimeout(() => (compositionJustEnded = false), 0);
  });
  box.addEventListener('keydown', (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing, keyCode } = event;
    const facts = { key, shiftKey, ctrlKey, metaKey, altKey, isComposing, keyCode, compositionJustEnded };
    const touch = matchMedia('(pointer: coarse)').matches && !matchMedia('(any-pointer: fine)').matches;
    const meaning = judgeKey(facts, { text: box.value, touch });
    if (meaning === 'send') {
      event.preventDefault();
      send();
    } else if (meaning === 'recall' && options.lastQuestion() !== '') {
      event.preventDefault();
      setBox(options.lastQuestion());
    } else if (key === 'Enter' && isComposing) {
      // Left alone, some browsers put a line break into the middle of the composition.
      event.preventDefault();
    }
  });
}

function refuseHugePaste(box: HTMLTextAreaElement, refused: (count: number) => void): void {
  box.addEventListener('paste', (event) => {
    const count = event.clipboardData?.getData('text/plain').length ?? 0;
    if (count <= MAX_PASTE_CHARS) return;
    event.preventDefault();
    refused(count);
  });
}

const modeKey = (place: string): string => `yunsou.mode.${place}`;

/** The choice stays with its conversation. */
export function storedMode(place: string): ChatMode {
  const stored = localStorage.getItem(modeKey(place));
  return stored === 'quick_search' || stored === 'research' ? stored : 'smart';
}

export const storeMode = (place: string, mode: ChatMode): void => localStorage.setItem(modeKey(place), mode);

const SIZES_ITSELF = CSS.supports('field-sizing', 'content');

function fitHeight(box: HTMLTextAreaElement): void {
  if (SIZES_ITSELF) return;
  box.style.height = 'auto';
  box.style.height = `${Math.min(box.scrollHeight, innerHeight * 0.4)}px`;
}
