import type { Answer, AnswerSentence } from '#contracts/research/answer.ts';
import { phrases } from './phrases.ts';

/** The answer as Markdown with `[n]` marks. Page text is escaped: it can never become a link, an image or a heading. */
export function renderMarkdown(answer: Omit<Answer, 'markdown'>): string {
  const words = phrases(answer.language);
  const lines: string[] = [];
  for (const section of answer.sections) {
    if (section.heading !== '') lines.push(`## ${escapeMarkdown(section.heading)}`, '');
    lines.push(...section.sentences.map((sentence) => renderSentence(sentence)), '');
  }
  if (answer.citations.length === 0) lines.push(escapeMarkdown(words.nothing), '');
  if (answer.gaps.length > 0) {
    lines.push(`**${words.gaps}**`, '');
    lines.push(...answer.gaps.map((gap) => `- ${escapeMarkdown(words.gap(gap.what, gap.reason))}`), '');
  }
  lines.push(`*${words.engine}*`);
  return lines.join('\n').trim() + '\n';
}

function renderSentence(sentence: AnswerSentence): string {
  if (sentence.role === 'frames') return `\n${escapeMarkdown(sentence.text)}\n`;
  return `- ${escapeMarkdown(sentence.text)} ${sentence.citations.map((n) => `[${n}]`).join('')}`;
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
