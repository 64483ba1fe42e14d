import type { Language } from '#contracts/ids.ts';
import { en, type Catalogue } from './en.ts';
import { zhCN } from './zh-CN.ts';

const CATALOGUES: Record<Language, Catalogue> = { en, 'zh-CN': zhCN };

export const catalogueOf = (language: Language): Catalogue => CATALOGUES[language];

/** Every language is named in itself, so that people find their own. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', 'zh-CN': '简体中文' };

/** Questions that the default library can answer: they are links to work, not decoration. */
export const SUGGESTIONS: Record<Language, readonly string[]> = {
  en: [
    'What is the difference between npm ci and npm install?',
    'How do I stop a running task?',
    'Which files are in a report package?',
  ],
  'zh-CN': ['怎么停止一个正在运行的任务？', '报告包里有哪些文件？', '怎么把自己的文件夹加入资料库？'],
};
