import type { Citation } from '#contracts/research/answer.ts';
import type { PackageContent } from './package-content.ts';
import { engineWords, reportWords } from './report-words.ts';

/** The answer as a file of its own: the text with `[n]`, the numbered quotes, the gaps. */
export function renderReportMarkdown({ state, answer, sealedTime }: PackageContent): string {
  const words = reportWords(answer.language);
  return [
    `# ${escapeLine(state.title)}`,
    '',
    `> ${words.question}: ${escapeLine(state.question)}`,
    '',
    answer.markdown.trim(),
    '',
    ...(answer.gaps.length === 0
      ? []
      : [
          `## ${words.gaps}`,
          '',
          ...answer.gaps.map((gap) => `- ${escapeLine(gap.what)} — ${words.reasons[gap.reason]}`),
          '',
        ]),
    `## ${words.sources}`,
    '',
    ...answer.citations.flatMap((citation) => [renderCitation(citation, words.readAt), '']),
    '---',
    '',
    `*${engineWords(answer)}*`,
    '',
    `${words.sealedAt}: ${sealedTime} · ${words.status}: ${state.task_status} · ${words.seeEvidence}`,
    '',
  ].join('\n');
}

function renderCitation({ n, quote, source }: Citation, readAt: string): string {
  const quoted = quote.replace(/\s+/gu, ' ').trim();
  return `[${n}] ${escapeLine(source.title)} — <${source.url}> (${readAt} ${source.retrieved_time})\n\n> ${escapeLine(quoted)}`;
}

const escapeLine = (text: string): string =>
  text.replace(/\s+/gu, ' ').replace(/[\\`*_[\]<>#|~]/gu, (character) => `\\${character}`);
