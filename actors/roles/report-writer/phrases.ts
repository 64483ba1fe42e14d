import type { Language } from '#contracts/ids.ts';

export type Phrases = {
  readonly conflict: string;
  readonly nothing: string;
  readonly quoted: (title: string, language: string, quote: string) => string;
};

const LANGUAGE_NAMES_ZH: Record<string, string> = { en: '英文', 'zh-CN': '中文', ja: '日文', de: '德文', fr: '法文' };
const LANGUAGE_NAMES_EN: Record<string, string> = {
  en: 'English',
  'zh-CN': 'Chinese',
  ja: 'Japanese',
  de: 'German',
  fr: 'French',
};

const english: Phrases = {
  conflict: 'The sources contradict one another here; both sides are shown:',
  nothing: 'Insufficient evidence: no page that was read answers this.',
  quoted: (title, language, quote) => `“${title}” (in ${LANGUAGE_NAMES_EN[language] ?? language}) says: “${quote}”`,
};

const chinese: Phrases = {
  conflict: '来源在这一点上互相矛盾，以下并列给出：',
  nothing: '证据不足：已读页面中没有能回答这个问题的内容。',
  quoted: (title, language, quote) => `《${title}》（${LANGUAGE_NAMES_ZH[language] ?? language}）写道：“${quote}”`,
};

export function phrases(language: Language): Phrases {
  return language === 'zh-CN' ? chinese : english;
}
