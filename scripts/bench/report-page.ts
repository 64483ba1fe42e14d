import { writeFile } from 'node:fs/promises';

export type Section = { readonly heading: string; readonly note: string; readonly body: string };
export type Page = { readonly title: string; readonly lead: string; readonly sections: readonly Section[] };

/** One file that opens anywhere, also from disk: no script, nothing loaded. */
export async function writePage(path: string, page: Page): Promise<void> {
  await writeFile(path, renderPage(page));
}

const STYLE = `
:root { color-scheme: light dark; --ground: #fbfbf9; --ink: #1c1f24; --soft: #646a73; --rule: #dfe0dc;
  --a: #2f6fde; --b: #b6bcc6; --c: #d98a2b; --limit: #c0392b; }
@media (prefers-color-scheme: dark) { :root { --ground: #16181c; --ink: #e8e8e6; --soft: #9aa0aa; --rule: #2d3037;
  --a: #6c9cf5; --b: #565c68; --c: #e2a458; --limit: #ef7566; } }
body { background: var(--ground); color: var(--ink); font: 15px/1.55 system-ui, sans-serif; margin: 0; }
main { max-width: 860px; margin: 0 auto; padding: 40px 20px 80px; }
h1 { font-size: 26px; font-weight: 620; margin: 0 0 6px; } h2 { font-size: 17px; font-weight: 600; margin: 44px 0 2px; }
p { margin: 0 0 14px; color: var(--soft); max-width: 66ch; }
svg { display: block; width: 100%; height: auto; overflow: visible; } text { fill: var(--ink); font-size: 12px; }
.soft { fill: var(--soft); } .a { fill: var(--a); } .b { fill: var(--b); } .c { fill: var(--c); }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; } .line.a { stroke: var(--a); } .line.c { stroke: var(--c); }
.rule { stroke: var(--rule); } .limit { stroke: var(--limit); stroke-dasharray: 4 3; } .limit-text { fill: var(--limit); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--rule); font-weight: 400; }
td { text-align: right; white-space: nowrap; } th { color: var(--soft); }`;

export function renderPage({ title, lead, sections }: Page): string {
  const parts = sections.map(
    ({ heading, note, body }) => `<section><h2>${escapeText(heading)}</h2><p>${escapeText(note)}</p>${body}</section>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeText(title)}</h1><p>${escapeText(lead)}</p>
${parts.join('\n')}
</main></body></html>
`;
}

/** Rows of a name and its figure. */
export function renderTable(rows: readonly (readonly [string, string])[]): string {
  const cells = rows.map(
    ([name, value]) => `<tr><th scope="row">${escapeText(name)}</th><td>${escapeText(value)}</td></tr>`,
  );
  return `<table>${cells.join('')}</table>`;
}

export function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
