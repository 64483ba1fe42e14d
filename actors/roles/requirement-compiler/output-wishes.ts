import type { Language } from '#contracts/ids.ts';
import type { OutputFormat } from '#contracts/research/task-spec.ts';

const IN_CHINESE =
  /\b(?:answer|reply|respond|write|report|output)\b[^.?!\n]{0,30}\bin (?:simplified )?chinese\b|\bin chinese[.!]?\s*$|(?:用|以|使用)(?:简体)?中文(?:回答|写|撰写|输出|报告|呈现|给)/iu;
const IN_ENGLISH =
  /\b(?:answer|reply|respond|write|report|output)\b[^.?!\n]{0,30}\bin english\b|\bin english[.!]?\s*$|(?:用|以|使用)英(?:文|语)(?:回答|写|撰写|输出|报告|呈现|给)/iu;

/** The language the answer is asked for in so many words; null when nobody said. */
export function saidLanguage(text: string): Language | null {
  if (IN_CHINESE.test(text)) return 'zh-CN';
  return IN_ENGLISH.test(text) ? 'en' : null;
}

const FORMATS: readonly (readonly [RegExp, OutputFormat])[] = [
  [/\bcsv\b/iu, 'csv'],
  [/\bxlsx\b|\b(?:as|to|in) (?:an )?excel\b|(?:导出|输出|生成|整理成|做成)[^，。；\n]{0,8}excel/iu, 'xlsx'],
  [/\bdocx\b|\b(?:as|to|in) (?:a )?word (?:document|file)\b|(?:导出|输出|生成)[^，。；\n]{0,8}word/iu, 'docx'],
  [/\b(?:as|to|in) (?:a )?pdf\b|(?:导出|输出|生成)[^，。；\n]{0,8}pdf/iu, 'pdf'],
  [/\b(?:as|to|in) (?:an? )?html\b|网页格式/iu, 'html'],
  [/\b(?:as|to|in) markdown\b|markdown\s*格式/iu, 'markdown'],
  [/\b(?:as|to|in) json\b|json\s*格式/iu, 'json'],
];

export const saidFormats = (text: string): OutputFormat[] =>
  FORMATS.filter(([said]) => said.test(text)).map(([, format]) => format);

/** A sentence that only says how the answer should look; there is nothing in it to find out. */
const FORM_ONLY =
  /^(?:please\s+)?(?:(?:answer|reply|respond|write|output|export|format|present)\b[^.?!]{0,40}\b(?:in|as|to)\b[^.?!]{0,30}(?:chinese|english|table|csv|excel|pdf|word|markdown|html|json|bullet points?|list)(?: file| form| format| document)?[.!]?|show me (?:the|your) plan(?: first)?[.!]?|no (?:guess(?:es|ing)?|estimates?)[.!]?)$|^(?:请)?(?:用|以|使用)(?:中文|英文|英语|表格|列表|markdown)(?:的?形式|格式)?(?:回答|输出|呈现|撰写|写|给我)?[。！]?$|^(?:请)?先(?:给我)?看(?:一下)?计划[。！]?$|^(?:请)?(?:导出|输出)(?:为|成)?\s*(?:csv|excel|pdf|word|表格)[。！]?$/iu;

export const isFormWish = (sentence: string): boolean => FORM_ONLY.test(sentence.trim());
