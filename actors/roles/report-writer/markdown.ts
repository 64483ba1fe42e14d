import type { Answer, AnswerSentence } from '#contracts/research/answer.ts';
import { phrases } from './phrases.ts';

/**
 * The sentences as Markdown with `[n]` marks; gaps and sources are shown beside it by whoever shows it.
 * Page text is escaped: it can never become a link, an image or a heading.
 */
export function renderMarkdown(answer: Omit<Answer, 'markdown'>): string {
  const lines: string[] = [];
  for (const section of answer.sections) {
    if (section.heading !== '') lines.push(`## ${escapeMarkdown(section.heading)}`, '');
    section.sentences.forEach((sentence, index) => {
      const isLast = index === section.sentences.length - 1;
      lines.push(...renderSentence(sentence, { isAlone: section.sentences.length === 1, isLast }));
    });
    lines.push('');
  }
  if (answer.citations.length === 0) lines.push(escapeMarkdown(phrases(answer.language).nothing));
  return `${lines
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim()}\n`;
}

type Place = { readonly isAlone: boolean; readonly isLast: boolean };

function renderSentence(sentence: AnswerSentence, { isAlone, isLast }: Place): string[] {
  const text = escapeMarkdown(sentence.text);
  if (sentence.role === 'frames') return ['', text, ''];
  const line = `${text} ${sentence.citations.map((n) => `[${n}]`).join('')}`;
  // A sentence that announces a list stands before its items, not among them.
  if (isAlone || (!isLast && /[:：]$/u.test(sentence.text))) return ['', line, ''];
  return [`- ${line}`];
}

const SPECIAL = /[\\`*_[\]<>#|~!]/gu;

/** Escapes what CommonMark would interpret inside a line, and an address that a linkifier would turn into a link. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(SPECIAL, (character) => `\\${character}`)
    .replace(/^(\d+)([.)])/u, '$1\\$2')
    .replace(/^([-+=])/u, '\\$1');
}
