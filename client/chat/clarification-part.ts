import type { MessagePart } from '#contracts/actors/conversation.ts';
import type { AppContext } from '../app/context.ts';
import type { View } from '../app/view.ts';
import { button } from '../ui/button.ts';
import { h, replace } from '../ui/element.ts';

type Clarification = Extract<MessagePart, { kind: 'clarification' }>;

/** A question back. An answer is an ordinary message; once answered, the choices are gone everywhere. */
export function createClarificationPart(context: AppContext, answer: (text: string) => void): View<Clarification> {
  const element = h('section', { class: 'clarification' });
  let shown = '';
  return {
    element,
    update(part) {
      const key = JSON.stringify(part);
      if (key === shown) return;
      shown = key;
      if (part.answered === null) context.announce(context.texts.announceNeedsYou);
      const choices = part.options.map((option) => {
        const choice = button(option.label, {
          press: () => {
            for (const one of choices) one.disabled = true;
            answer(option.label);
          },
        });
        return choice;
      });
      const answered = part.options.find((option) => option.value === part.answered)?.label ?? part.answered;
      replace(
        element,
        h('p', { class: 'clarification-question' }, part.question),
        answered === null
          ? h('div', { class: 'choices' }, ...choices)
          : h('p', { class: 'hint' }, context.texts.clarificationAnswered(answered)),
      );
    },
    destroy: () => undefined,
  };
}
