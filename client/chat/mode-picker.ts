import type { ChatMode } from '#contracts/research/task-spec.ts';
import type { Catalogue } from '../i18n/en.ts';
import { h } from '../ui/element.ts';

export type ModeChoice = {
  readonly mode: ChatMode;
  readonly label: string;
  readonly meaning: string;
  readonly offered: boolean;
};

export function modesOf(texts: Catalogue): readonly ModeChoice[] {
  return [
    { mode: 'smart', label: texts.modeSmart, meaning: texts.modeSmartMeaning, offered: true },
    { mode: 'quick_search', label: texts.modeQuickSearch, meaning: texts.modeQuickSearchMeaning, offered: true },
    { mode: 'research', label: texts.modeResearch, meaning: texts.modeResearchMeaning, offered: true },
    { mode: 'dataset', label: texts.modeDataset, meaning: texts.modeDatasetMeaning, offered: false },
    { mode: 'hybrid', label: texts.modeHybrid, meaning: texts.modeHybridMeaning, offered: false },
  ];
}

export const modeLabel = (mode: ChatMode, texts: Catalogue): string =>
  modesOf(texts).find((one) => one.mode === mode)?.label ?? mode;

export type ModePicker = { readonly element: HTMLElement; readonly meaning: HTMLElement; chosen(): ChatMode };

/** A radio group; modes that this version does not have are there, disabled, and say so. */
export function createModePicker(texts: Catalogue, start: ChatMode, chose: (mode: ChatMode) => void): ModePicker {
  const name = `mode-${Math.random().toString(36).slice(2)}`;
  const meaning = h('p', { class: 'mode-meaning' });
  let present = start;
  const show = (choice: ModeChoice): void => {
    present = choice.mode;
    meaning.textContent = choice.meaning;
  };
  const radios = modesOf(texts).map((choice) => {
    if (choice.mode === start) show(choice);
    const input = h('input', {
      type: 'radio',
      name,
      value: choice.mode,
      checked: choice.mode === start,
      disabled: !choice.offered,
      onchange: () => {
        show(choice);
        chose(choice.mode);
      },
    });
    const tip = choice.offered ? choice.meaning : `${choice.meaning} (${texts.notInThisVersion})`;
    return h(
      'label',
      { class: 'mode', title: tip },
      input,
      h('span', { class: 'mode-label' }, choice.label),
      !choice.offered && h('span', { class: 'visually-hidden' }, ` (${texts.notInThisVersion})`),
    );
  });
  const element = h(
    'fieldset',
    { class: 'modes' },
    h('legend', { class: 'visually-hidden' }, texts.modeLabel),
    ...radios,
  );
  return { element, meaning, chosen: () => present };
}
