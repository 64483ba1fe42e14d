/** A word, or one character where words are not parted by spaces. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}_]+/gu;

export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').match(WORD) ?? [];
}

/** Words in the same order on both sides, twice, over all words; 1 when the texts say the same. */
export function textSimilarity(one: string, other: string): number {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (a.length + b.length === 0) return 1;
  return (2 * longestCommon(a, b)) / (a.length + b.length);
}

/** Length of the longest common subsequence. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const numbers = new Map<string, number>();
  const numbered = (words: readonly string[]): Uint32Array =>
    Uint32Array.from(words.slice(start, words.length - end), (word) => {
      const known = numbers.get(word) ?? numbers.size;
      numbers.set(word, known);
      return known;
    });
  return start + end + commonLength(numbered(a), numbered(b));
}

function commonLength(a: Uint32Array, b: Uint32Array): number {
  let above = new Uint32Array(b.length + 1);
  let row = new Uint32Array(b.length + 1);
  for (const word of a) {
    for (let at = 1; at <= b.length; at += 1) {
      row[at] = word === b[at - 1] ? (above[at - 1] ?? 0) + 1 : Math.max(above[at] ?? 0, row[at - 1] ?? 0);
    }
    [above, row] = [row, above];
  }
  return above[b.length] ?? 0;
}
