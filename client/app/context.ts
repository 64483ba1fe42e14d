import type { Language } from '#contracts/ids.ts';
import type { Citation } from '#contracts/research/answer.ts';
import type { Api } from '../data/api.ts';
import type { Drafts } from '../data/drafts.ts';
import type { Preferences } from '../data/preferences.ts';
import type { AppStore } from '../data/store.ts';
import type { Catalogue } from '../i18n/en.ts';
import type { Format } from '../i18n/format.ts';
import type { Commands } from './commands.ts';
import type { Feed } from './feed.ts';

/** What every view is given. Views read the store, ask the commands, and never touch the network themselves. */
export type AppContext = {
  readonly api: Api;
  readonly store: AppStore;
  readonly feed: Feed;
  readonly commands: Commands;
  readonly drafts: Drafts;
  readonly texts: Catalogue;
  readonly format: Format;
  readonly language: Language;
  readonly preferences: () => Preferences;
  readonly changePreferences: (change: Partial<Preferences>) => void;
  readonly open: (path: string) => void;
  /** One sentence for people who listen; the newest wins. */
  readonly announce: (sentence: string) => void;
  readonly panel: PanelControl;
  readonly nowMs: () => number;
};

export type PanelControl = {
  /** Focus returns to `from` when the panel closes. */
  openSource(citations: readonly Citation[], n: number, from: HTMLElement): void;
  openHelp(page: string, from: HTMLElement): void;
  close(): void;
};
