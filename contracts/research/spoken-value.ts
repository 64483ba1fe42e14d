import type { Json } from '../json.ts';
import type { Clarification, ClarificationAnswer } from './clarification.ts';

/** Pointers whose value is a list of names that people write in one line. */
const LISTS = /^\/scope\/(?:items|topics|exclusions|allowed_domains|acceptance|questions|known_urls)$/;
const SEPARATOR = /[,，、;；\n]+|\s+(?:and|or|与|和|以及)\s+|(?<=[\u4e00-\u9fff])(?:和|与|以及)(?=[\u4e00-\u9fff])/u;

/** What an answer says for the pointer of its clarification: the value of an option it names, or its words in the right form. */
export function readAnswer(clarification: Clarification, answer: ClarificationAnswer): Json {
  const value = answer.value as Json;
  if (typeof value !== 'string') return value;
  const said = value.trim();
  const option = clarification.options.find(({ label }) => label.toLowerCase() === said.toLowerCase());
  if (option !== undefined) return option.value as Json;
  const { pointer } = clarification;
  if (LISTS.test(pointer)) return namesIn(said);
  if (pointer === '/output/fields') return namesIn(said).map(plainField);
  if (pointer === '/scope/as_of') return timeIn(said);
  return said;
}

export function namesIn(text: string): string[] {
  const names = text
    .split(SEPARATOR)
    .map((name) => name.trim().replace(/^(?:and|or)\s+/iu, ''))
    .filter((name) => name !== '');
  return [...new Set(names)];
}

/** A field of which nothing but the name is known. */
export function plainField(name: string) {
  return {
    name: [...name].slice(0, 80).join(''),
    type: 'text' as const,
    unit: null,
    precision: null,
    choices: [],
    required: false,
    evidence: 'quote' as const,
  };
}

/** `2024`, `2024-05`, `2024-05-06`, `2024年5月`: the last moment of what is named; the words themselves otherwise. */
export function timeIn(text: string): string {
  const found = /^(\d{4})(?:\s*[-/年.]\s*(\d{1,2}))?(?:\s*[-/月.]\s*(\d{1,2}))?\s*[年月日]?$/u.exec(text.trim());
  if (found === null) return text;
  const [year = 0, month, day] = found.slice(1).map((part) => (part === undefined ? undefined : Number(part)));
  return endOf(year, month, day) ?? text;
}

/** The last millisecond of a year, a month or a day, in UTC; null for a date that no calendar has. */
export function endOf(year: number, month?: number, day?: number): string | null {
  const lastMonth = month ?? 12;
  if (lastMonth < 1 || lastMonth > 12 || year < 1000 || year > 9999) return null;
  const days = daysIn(year, lastMonth);
  const lastDay = day ?? days;
  if (lastDay < 1 || lastDay > days) return null;
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${year}-${two(lastMonth)}-${two(lastDay)}T23:59:59.999Z`;
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}
