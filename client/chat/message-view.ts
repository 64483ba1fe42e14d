import type { AppContext } from '../app/context.ts';
import type { View } from '../app/view.ts';
import type { AppState } from '../data/store.ts';
import { button } from '../ui/button.ts';
import { h, setText, toggle } from '../ui/element.ts';
import { guessLanguage } from '../ui/text-language.ts';
import { createPart, type PartState, type PartTools } from './message-parts.ts';
import { modeLabel } from './mode-picker.ts';
import type { ThreadItem } from './thread-model.ts';

export type MessageState = { readonly item: ThreadItem; readonly app: AppState };

export function createMessage(context: AppContext, tools: PartTools, item: ThreadItem): View<MessageState> {
  const own = item.kind === 'pending' || item.message.author === 'user';
  return own ? createQuestion(context) : createAnswer(context, tools);
}

function createQuestion(context: AppContext): View<MessageState> {
  const { texts } = context;
  const text = h('p', { class: 'question-text' });
  const note = h('p', { class: 'question-note' });
  const element = h(
    'article',
    { class: 'message question' },
    h('h2', { class: 'visually-hidden' }, texts.you),
    text,
    note,
  );
  return {
    element,
    update({ item, app }) {
      const body = item.kind === 'pending' ? item.pending.text : item.message.text;
      setText(text, body);
      text.lang = guessLanguage(body) ?? context.language;
      element.classList.toggle('pending', item.kind === 'pending');
      if (item.kind === 'pending') {
        setText(note, app.wire === 'offline' ? texts.messageWaiting : texts.messagePending);
      } else {
        const { mode, edited } = item.message;
        const named = mode === null || mode === 'smart' ? '' : texts.sentIn(modeLabel(mode, texts));
        setText(note, [named, edited ? texts.edited : ''].filter((word) => word !== '').join(' · '));
      }
      toggle(note, note.textContent !== '');
    },
    destroy: () => undefined,
  };
}

function createAnswer(context: AppContext, tools: PartTools): View<MessageState> {
  const { texts } = context;
  const parts = new Map<string, View<PartState>>();
  const body = h('div', { class: 'answer-parts' });
  let source = '';
  const copy = button(texts.copyAnswer, { icon: 'copy', look: 'quiet', press: () => void copyAnswer() });
  const element = h(
    'article',
    { class: 'message answer' },
    h('h2', { class: 'visually-hidden' }, texts.assistant),
    body,
    h('footer', { class: 'answer-foot' }, copy),
  );

  async function copyAnswer(): Promise<void> {
    await navigator.clipboard.writeText(source);
    context.announce(texts.copied);
    setText(copy.querySelector('span') ?? copy, texts.copied);
    setTimeout(() => setText(copy.querySelector('span') ?? copy, texts.copyAnswer), 2000);
  }

  return {
    element,
    update({ item, app }) {
      if (item.kind !== 'stored') return;
      const { message } = item;
      source = message.parts.flatMap((part) => (part.kind === 'text' ? [part.markdown] : [])).join('\n\n');
      toggle(copy, source !== '' && message.parts.some((part) => part.kind === 'citation'));
      const seen = new Set<string>();
      message.parts.forEach((part, index) => {
        const key = `${part.kind}/${part.part_id}`;
        seen.add(key);
        const view = parts.get(key) ?? createPart(context, tools, part);
        parts.set(key, view);
        if (body.children[index] !== view.element) body.insertBefore(view.element, body.children[index] ?? null);
        view.update({ part, message, app });
      });
      dropGone(parts, seen);
    },
    destroy() {
      for (const view of parts.values()) view.destroy();
    },
  };
}

function dropGone(parts: Map<string, View<PartState>>, seen: ReadonlySet<string>): void {
  for (const [key, view] of parts) {
    if (seen.has(key)) continue;
    view.element.remove();
    view.destroy();
    parts.delete(key);
  }
}
