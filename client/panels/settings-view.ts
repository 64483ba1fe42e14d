import type { Language } from '#contracts/ids.ts';
import type { AppContext } from '../app/context.ts';
import type { View } from '../app/view.ts';
import type { Theme } from '../data/preferences.ts';
import type { AppState } from '../data/store.ts';
import { LANGUAGE_NAMES } from '../i18n/texts.ts';
import { h } from '../ui/element.ts';
import { createLibraryView } from './library-view.ts';
import { createModelsView } from './models-view.ts';
import { createSystemView } from './system-view.ts';

export function createSettingsView(context: AppContext): View<AppState> {
  const { texts, preferences, changePreferences } = context;
  const languages = choices<Language>(
    texts.language,
    'language',
    [
      ['zh-CN', LANGUAGE_NAMES['zh-CN']],
      ['en', LANGUAGE_NAMES.en],
    ],
    context.language,
    (language) => changePreferences({ language }),
  );
  const themes = choices<Theme>(
    texts.theme,
    'theme',
    [
      ['system', texts.themeSystem],
      ['light', texts.themeLight],
      ['dark', texts.themeDark],
    ],
    preferences().theme,
    (theme) => changePreferences({ theme }),
  );
  const element = h(
    'div',
    { class: 'page' },
    h('h1', { class: 'page-title' }, texts.settings),
    h('div', { class: 'setting-pair' }, languages, themes),
    createModelsView(context),
    createLibraryView(context),
    createSystemView(context),
  );
  return { element, update: () => undefined, destroy: () => undefined };
}

function choices<T extends string>(
  legend: string,
  name: string,
  options: readonly (readonly [T, string])[],
  present: T,
  chose: (value: T) => void,
): HTMLElement {
  const radios = options.map(([value, label]) =>
    h(
      'label',
      { class: 'mode', lang: name === 'language' ? value : null },
      h('input', { type: 'radio', name, value, checked: value === present, onchange: () => chose(value) }),
      h('span', { class: 'mode-label' }, label),
    ),
  );
  return h(
    'fieldset',
    { class: 'setting' },
    h('legend', { class: 'section-heading' }, legend),
    h('div', { class: 'modes' }, ...radios),
  );
}
