import { MEANING_SCRIPT } from './meaning-script.ts';
import { VISIBILITY_SCRIPT } from './visibility-script.ts';

/** Bounds of one walk through one frame. */
export type WalkLimits = {
  readonly controls: number;
  readonly texts: number;
  readonly chars: number;
  readonly ms: number;
};

export type WalkedControl = {
  readonly kind: 'control';
  /** Place in the memory of the frame. */
  readonly index: number;
  readonly meaning: Meaning;
  readonly tag: string;
  readonly type: string;
  readonly value: string | null;
  readonly isSecret: boolean;
  readonly isDisabled: boolean;
  readonly isChecked: boolean | null;
  readonly isExpander: boolean;
  readonly isEditable: boolean;
  readonly isDownload: boolean;
  readonly formFields: readonly string[];
  readonly visibility: string;
};

export type Meaning = {
  readonly role: string;
  readonly name: string;
  readonly row: string;
  readonly href: string | null;
  readonly form: { readonly method: string; readonly action: string } | null;
};

export type Walk = {
  readonly items: readonly (
    WalkedControl | { readonly kind: 'text'; readonly text: string; readonly visibility: string }
  )[];
  readonly moreControls: number;
  readonly moreTexts: number;
  readonly unread: readonly { readonly what: string; readonly reason: string }[];
  readonly scroll: { readonly at: number; readonly height: number; readonly view: number };
};

/**
 * One pass through the document in reading order, open shadow trees included. What lies more than a screen above the view is left out,
 * so that a long page can be walked by scrolling. Nothing in it is changed.
 */
export const WALK_SCRIPT = String.raw`(memory, input) => {
  ${MEANING_SCRIPT}
  ${VISIBILITY_SCRIPT}
  const began = performance.now();
  const CONTROL = 'a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,[contenteditable=""],[contenteditable=true],[onclick],'
    + '[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch],[role=combobox],[role=searchbox],[role=textbox],[role=treeitem]';
  const items = [], unread = [], elements = [];
  let chars = 0, texts = 0, controls = 0, isFull = false, run = null;
  const flush = () => {
    if (run && run.text.trim()) { items.push({ kind: 'text', text: squeeze(run.text), visibility: run.visibility }); texts += 1; }
    run = null;
  };
  const full = () => {
    isFull = isFull || chars >= input.chars || texts >= input.texts || controls >= input.controls || performance.now() - began > input.ms;
    return isFull;
  };
  const range = document.createRange();
  const addText = (node, element) => {
    if (!node.data.trim()) { if (run) run.text += ' '; return; }
    range.selectNodeContents(node);
    const visibility = visibilityOf(element, range.getClientRects()[0] || range.getBoundingClientRect(), true);
    if (visibility === null) return;
    const { block } = stateOf(element);
    if (run && (run.block !== block || run.visibility !== visibility || run.text.length > 2000)) flush();
    run = run || { text: '', block, visibility };
    const part = node.data.slice(0, input.chars - chars);
    run.text += part;
    chars += part.length;
  };
  const addControl = (element) => {
    const box = element.getBoundingClientRect();
    const visibility = visibilityOf(element, box, false);
    if (visibility === null) return;
    flush();
    const secret = isSecret(element);
    const hasValue = /^(input|select|textarea)$/.test(element.localName) && !/^(submit|reset|button|image|checkbox|radio|file)$/.test(element.type);
    const held = element.localName === 'select' ? textIn(element.selectedOptions[0] || element, 200) || (element.selectedOptions[0] || {}).label || '' : String(element.value || '');
    const form = formOf(element);
    const own = element.getAttribute('aria-checked');
    const meaning = meaningOf(element);
    chars += meaning.name.length + meaning.row.length / 4;
    controls += 1;
    items.push({
      kind: 'control',
      index: elements.push(element) - 1,
      meaning,
      tag: element.localName,
      type: element.localName === 'input' || element.localName === 'button' ? element.type : '',
      value: hasValue ? (secret ? (element.value ? '•••' : '') : held.slice(0, 200)) : null,
      isSecret: secret,
      isDisabled: element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true',
      isChecked: /^(checkbox|radio)$/.test(element.type) ? element.checked : own === null ? null : own === 'true',
      isExpander: element.localName === 'summary' || element.hasAttribute('aria-expanded') || roleOf(element) === 'tab',
      isEditable: element.isContentEditable,
      isDownload: element.hasAttribute('download'),
      formFields: form ? [...form.element.querySelectorAll('input,textarea,select')].slice(0, 60).map((field) =>
        isSecret(field) ? 'secret' : field.localName === 'input' ? field.type : field.localName) : [],
      visibility,
    });
  };
  const isAbove = (element) => scrollY > innerHeight && element.getBoundingClientRect().bottom < -innerHeight;
  const note = (what, reason) => { if (unread.length < 20) unread.push({ what, reason }); };
  const visit = (element, depth) => {
    if (full() || depth > 500) return;
    const tag = element.localName;
    if (/^(script|style|noscript|template|head|title|meta|link)$/.test(tag)) return;
    const state = stateOf(element);
    if (!state.shown) return;
    if (state.block === element && isAbove(element)) return;
    if (tag === 'canvas' && element.width * element.height > 20000) note('canvas', 'drawn on a canvas');
    if (/^(object|embed)$/.test(tag)) note(tag, 'shown by a plug-in');
    if (tag === 'svg' || tag === 'iframe' || tag === 'frame') return;
    if (element.matches(CONTROL)) {
      addControl(element);
      if (!/^(summary|td|tr|li|div|section|article)$/.test(tag)) return;
    }
    const children = tag === 'slot' && element.assignedNodes().length > 0 ? element.assignedNodes() : (element.shadowRoot || element).childNodes;
    for (const child of children) {
      if (child.nodeType === 3) { if (!full()) addText(child, element); }
      else if (child.nodeType === 1) visit(child, depth + 1);
      if (isFull) break;
    }
    if (state.block === element) flush();
  };
  if (document.body) visit(document.body, 0);
  flush();
  memory.elements = elements;
  const all = isFull || scrollY > innerHeight ? document.querySelectorAll(CONTROL).length : controls;
  let allTexts = texts;
  if (isFull && document.body) {
    const walker = document.createTreeWalker(document.body, 4);
    allTexts = 0;
    for (let seen = 0; seen < 200000 && walker.nextNode(); seen += 1) if (/\S/.test(walker.currentNode.data)) allTexts += 1;
  }
  const page = document.scrollingElement || document.documentElement;
  return {
    items,
    moreControls: Math.max(0, all - controls),
    moreTexts: Math.max(0, allTexts - texts),
    unread,
    scroll: { at: Math.round(scrollY), height: Math.round(page ? page.scrollHeight : 0), view: innerHeight },
  };
}`;

/** Password, card and code fields that a person could see; the reason for showing no picture. */
export const SENSITIVE_SCRIPT = String.raw`() => {
  const isShown = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible';
  const roots = [document];
  for (let index = 0; index < roots.length && roots.length < 200; index += 1)
    for (const host of roots[index].querySelectorAll('*')) if (host.shadowRoot) roots.push(host.shadowRoot);
  const has = (selector) => roots.some((root) => [...root.querySelectorAll(selector)].some(isShown));
  if (has('input[type=password],input[autocomplete~="current-password"],input[autocomplete~="new-password"]')) return 'password';
  if (has('input[autocomplete*="cc-"],input[name*="cardnumber" i],input[name*="card-number" i],input[name*="card_number" i],input[id*="cardnumber" i],input[id*="card-number" i],input[name*="cvc" i],input[name*="cvv" i]')) return 'payment';
  if (has('input[autocomplete~="one-time-code"],input[name="otp" i],input[id="otp" i]')) return 'one_time_code';
  return null;
}`;
