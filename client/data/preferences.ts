import type { Language } from '#contracts/ids.ts';
import type { KeyValueStorage } from './storage.ts';

/** What a person chose on this device; `public/theme.js` reads the same key before the first paint. */
export type Theme = 'system' | 'light' | 'dark';
export type Preferences = { readonly language: Language; readonly theme: Theme; readonly panelWidth: number };

const KEY = 'yunsou.preferences';
export const PANEL_WIDTH = { least: 340, start: 460, most: 900 } as const;

export function readPreferences(storage: Pick<KeyValueStorage, 'getItem'>, browserLanguage: string): Preferences {
  const start: Preferences = {
    language: /^zh/i.test(browserLanguage) ? 'zh-CN' : 'en',
    theme: 'system',
    panelWidth: PANEL_WIDTH.start,
  };
  try {
    const saved = JSON.parse(storage.getItem(KEY) ?? '{}') as Partial<Preferences>;
    return {
      language: saved.language === 'en' || saved.language === 'zh-CN' ? saved.language : start.language,
      theme: saved.theme === 'light' || saved.theme === 'dark' ? saved.theme : 'system',
      panelWidth: typeof saved.panelWidth === 'number' ? clampPanelWidth(saved.panelWidth) : start.panelWidth,
    };
  } catch {
    return start;
  }
}

/** Nobody chose a language here and the browser speaks neither: then the installation's own language is the best guess. */
export function followsInstallation(storage: Pick<KeyValueStorage, 'getItem'>, browserLanguage: string): boolean {
  return storage.getItem(KEY) === null && !/^(zh|en)\b/i.test(browserLanguage);
}

export const writePreferences = (storage: Pick<KeyValueStorage, 'setItem'>, preferences: Preferences): void =>
  storage.setItem(KEY, JSON.stringify(preferences));

export const clampPanelWidth = (width: number): number =>
  Math.round(Math.min(PANEL_WIDTH.most, Math.max(PANEL_WIDTH.least, width)));
