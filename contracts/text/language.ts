export type TextLanguage = 'zh-CN' | 'en' | 'und';

const ENGLISH_FUNCTION_WORDS: ReadonlySet<string> = new Set(
  'the of and to in is a for that on with as by are was it this be from or an at not which have has you can will if'.split(
    ' ',
  ),
);
const CHINESE_QUESTION = /[的吗呢是什么怎如何哪谁几有和与会能做]/;
/** One Han character carries about as much as three Latin letters. */
const HAN_WEIGHT = 3;
const SAMPLE_CHARS = 20_000;

/** The language of a text among those the product writes in; `und` for anything else or nothing. */
export function detectLanguage(text: string): TextLanguage {
  const sample = text.slice(0, SAMPLE_CHARS);
  const han = count(sample, /\p{Script=Han}/gu);
  const kana = count(sample, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const latin = count(sample, /\p{Script=Latin}/gu);
  const other = count(sample, /\p{L}/gu) - han - kana - latin;
  if (kana * 8 > han + kana && kana > 1) return 'und';
  if (isChineseQuestion(sample, han)) return 'zh-CN';
  if (han * HAN_WEIGHT > latin + other) return 'zh-CN';
  if (latin <= other + han * HAN_WEIGHT) return 'und';
  return isEnglish(sample) ? 'en' : 'und';
}

/** "npm ci 和 npm install 有什么区别" is Chinese although most of its letters are not. */
function isChineseQuestion(text: string, han: number): boolean {
  return text.length <= 200 && han >= 3 && CHINESE_QUESTION.test(text) && /[\u4e00-\u9fff][^\p{L}]*$/u.test(text);
}

function isEnglish(text: string): boolean {
  const found = text.toLowerCase().match(/\p{Script=Latin}+/gu) ?? [];
  const accented = count(text, /[\u00c0-\u024f]/g);
  if (accented * 25 > text.length) return false;
  if (found.length < 12) return true;
  const functional = found.filter((word) => ENGLISH_FUNCTION_WORDS.has(word)).length;
  return functional * 12 > found.length;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
