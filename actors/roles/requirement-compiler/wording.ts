import type { ChatMode, TaskMode } from '#contracts/research/task-spec.ts';

const MAX_QUESTIONS = 5;
const MAX_QUESTION_CHARS = 1000;

const REPORT_WORDS =
  /研究|报告|调研|综述|深入|全面|详细(分析|介绍|说明)|对比分析|梳理|research|report|survey|in[- ]depth|comprehensive|overview of|literature review|analy[sz]e|analysis/i;
const DATASET_WORDS =
  /数据集|采集.*(表|清单)|整理成表|导出\s*(csv|excel|表格)|data ?set|as a (table|csv|spreadsheet)|csv of/i;

/** `smart` is a policy of the chat box, not a mode: this is where it becomes one. */
export function chooseMode(text: string, asked: ChatMode): TaskMode {
  if (asked !== 'smart') return asked;
  if (DATASET_WORDS.test(text)) return 'dataset';
  if (REPORT_WORDS.test(text) || splitQuestions(text).length > 2 || text.length > 300) return 'research';
  return 'quick_search';
}

/** “Write a report: …” says what to make, not what to find out. */
const ORDER =
  /^\s*(?:(?:please\s+)?(?:write|give|make|prepare|create|compile)\b[^:：?？\n]{0,60}|(?:请)?(?:帮我)?(?:写|做|给出|生成|整理)[^:：?？\n]{0,30})[:：]\s*(?=\S)/iu;

/**
 * One question per question mark, numbered line or line that stands alone; the whole text when there is no such mark.
 * Sentences without a question mark stay with the question that follows, as its context.
 */
export function splitQuestions(text: string): string[] {
  const parts = text
    .replace(ORDER, '')
    .split(/(?<=[?？])\s*|\n{2,}|\n(?=\s*(?:\d+[.、)]|[-*•]))/u)
    .map((part) =>
      part
        .replace(/^\s*(?:\d+[.、)]|[-*•])\s*/u, '')
        .replace(/\s+/gu, ' ')
        .trim(),
    )
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
  const questions: string[] = [];
  let context = '';
  for (const part of parts) {
    if (/[?？]$/u.test(part)) {
      questions.push(`${context} ${part}`.trim());
      context = '';
    } else {
      context = `${context} ${part}`.trim();
    }
  }
  if (context !== '' || questions.length === 0) questions.push(context === '' ? text.trim() : context);
  return questions.slice(0, MAX_QUESTIONS).map((question) => question.slice(0, MAX_QUESTION_CHARS));
}

export function findUrls(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"'，。；、）)】」]+/gu) ?? [];
  return [...new Set(found.map((url) => url.replace(/[.,;:!?]+$/u, '')))].slice(0, 20);
}

export function findExclusions(text: string): string[] {
  const found = text.matchAll(/(?:不要包括|不包括|排除|except for|excluding|but not)\s*([^，。；,.;?？\n]{1,80})/giu);
  return [...found].map((match) => match[1]?.trim() ?? '').filter((item) => item !== '');
}

/** The first line, cut at a word, never in the middle of a surrogate pair. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  const characters = [...line.replace(/\s+/gu, ' ')];
  return characters.length <= 80 ? characters.join('') : `${characters.slice(0, 79).join('')}…`;
}
