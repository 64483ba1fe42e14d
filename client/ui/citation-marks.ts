/** Finds `[n]` in plain text. Pure; whether `n` is a known citation is the caller's question. */
export type TextPiece = { readonly text: string } | { readonly citation: number };

export function splitCitations(text: string, known: ReadonlySet<number>): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const match of text.matchAll(/\[(\d{1,3})\]/g)) {
    const n = Number(match[1]);
    if (!known.has(n)) continue;
    if (match.index > at) pieces.push({ text: text.slice(at, match.index) });
    pieces.push({ citation: n });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}
