import type { Language } from '#contracts/ids.ts';
import type { MissingReason } from '#contracts/research/evidence.ts';

export type Phrases = {
  readonly conflict: string;
  readonly gaps: string;
  readonly sources: string;
  readonly retrieved: string;
  readonly nothing: string;
  readonly engine: string;
  readonly quoted: (title: string, language: string, quote: string) => string;
  readonly gap: (what: string, reason: MissingReason) => string;
};

const EN_REASONS: Record<MissingReason, string> = {
  not_found: 'nothing that was read answers it',
  not_disclosed: 'the sources do not disclose it',
  not_applicable: 'it does not apply',
  access_blocked: 'the page could not be reached',
  source_conflict: 'the sources contradict one another',
  parse_failed: 'the page could not be read',
  not_requested: 'it was not asked for',
};

const ZH_REASONS: Record<MissingReason, string> = {
  not_found: '已读页面中没有能回答它的内容',
  not_disclosed: '来源没有披露',
  not_applicable: '不适用',
  access_blocked: '页面无法访问',
  source_conflict: '来源之间互相矛盾',
  parse_failed: '页面无法解析',
  not_requested: '未要求',
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
  gaps: 'What is missing',
  sources: 'Sources',
  retrieved: 'read at',
  nothing: 'Insufficient evidence: no page that was read answers this.',
  engine:
    'No language model configured: extractive mode. The sentences are verbatim quotes from the pages that were read.',
  quoted: (title, language, quote) => `“${title}” (in ${LANGUAGE_NAMES_EN[language] ?? language}) says: “${quote}”`,
  gap: (what, reason) => `${what} — ${EN_REASONS[reason]}.`,
};

const chinese: Phrases = {
  conflict: '来源在这一点上互相矛盾，以下并列给出：',
  gaps: '缺失的内容',
  sources: '来源',
  retrieved: '读取时间',
  nothing: '证据不足：已读页面中没有能回答这个问题的内容。',
  engine: '未配置语言模型：摘录模式。以下句子均为已读页面的原文摘录。',
  quoted: (title, language, quote) => `《${title}》（${LANGUAGE_NAMES_ZH[language] ?? language}）写道：“${quote}”`,
  gap: (what, reason) => `${what}——${ZH_REASONS[reason]}。`,
};

export function phrases(language: Language): Phrases {
  return language === 'zh-CN' ? chinese : english;
}
