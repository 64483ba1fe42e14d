import type { AnswerSentence, Citation } from '#contracts/research/answer.ts';
import type { PackageContent } from './package-content.ts';
import { engineWords, reportWords } from './report-words.ts';

/** A single file that opens offline: no script, no outside resource; page text only ever as text. */
export function renderReportHtml({ state, answer, sealedTime }: PackageContent): string {
  const words = reportWords(answer.language);
  const sections = answer.sections.map(
    (section) =>
      `<section>${section.heading === '' ? '' : `<h2>${escapeHtml(section.heading)}</h2>`}${renderSentences(section.sentences)}</section>`,
  );
  const gaps = answer.gaps.map((gap) => `<li>${escapeHtml(gap.what)} — ${escapeHtml(words.reasons[gap.reason])}</li>`);
  return `<!doctype html>
<html lang="${answer.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(state.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(state.title)}</h1>
<p class="question">${escapeHtml(words.question)}: ${escapeHtml(state.question)}</p>
${sections.join('\n')}
${gaps.length === 0 ? '' : `<section class="gaps"><h2>${words.gaps}</h2><ul>${gaps.join('')}</ul></section>`}
<section class="sources"><h2>${words.sources}</h2><ol>${answer.citations.map((citation) => renderCitation(citation, words.readAt)).join('\n')}</ol></section>
<footer><p>${escapeHtml(engineWords(answer))}</p><p>${words.sealedAt}: <time datetime="${sealedTime}">${sealedTime}</time> · ${words.status}: ${escapeHtml(state.task_status)}</p><p>${words.seeEvidence}</p></footer>
</main>
</body>
</html>
`;
}

function renderSentences(sentences: readonly AnswerSentence[]): string {
  return sentences
    .map((sentence) => {
      if (sentence.role === 'frames') return `<p class="frame">${escapeHtml(sentence.text)}</p>`;
      const marks = sentence.citations.map((n) => `<a class="mark" href="#cite-${n}">[${n}]</a>`).join('');
      return `<p>${escapeHtml(sentence.text)} ${marks}</p>`;
    })
    .join('\n');
}

function renderCitation({ n, quote, source }: Citation, readAt: string): string {
  // Only http(s) becomes a link; anything else a page called its address is shown as text.
  const address = /^https?:\/\//u.test(source.url)
    ? `<a href="${escapeHtml(source.url)}" rel="noopener noreferrer">${escapeHtml(source.url)}</a>`
    : escapeHtml(source.url);
  return `<li id="cite-${n}" value="${n}"><cite>${escapeHtml(source.title)}</cite> · ${address} · ${readAt} <time datetime="${source.retrieved_time}">${source.retrieved_time}</time><blockquote lang="${escapeHtml(source.language)}">${escapeHtml(quote)}</blockquote></li>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? '');

const STYLE = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#60646c;--line:#e0e1e6;--accent:#0d74ce;--paper:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#edeef0;--soft:#b0b4ba;--line:#2e3135;--accent:#70b8ff;--paper:#111113}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.7 system-ui,"PingFang SC","Noto Sans SC","Microsoft YaHei",sans-serif;line-break:strict}
main{max-width:44rem;margin:0 auto;padding:3rem 1.25rem}
h1{font-size:1.6rem;line-height:1.3;margin:0 0 .5rem}h2{font-size:1.15rem;margin:2rem 0 .5rem}
.question,footer,.sources{color:var(--soft);font-size:.9rem}
.mark{color:var(--accent);text-decoration:none;font-size:.8em;vertical-align:super}
blockquote{margin:.5rem 0 1.25rem;padding:.25rem 0 .25rem 1rem;border-left:3px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere;color:var(--ink)}
.sources a{color:var(--accent);overflow-wrap:anywhere}footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:1rem}`;
