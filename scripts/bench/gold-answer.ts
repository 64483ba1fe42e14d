/** Case, compatibility forms and white space apart, the same text. */
export function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Tells whether an answer stands literally in a text that `comparable` made: whole words and whole numbers only, so that "3" is not in "1983". */
export function goldMatcher(answer: string): (comparableText: string) => boolean {
  const wanted = comparable(answer);
  if (wanted === '') return () => false;
  const literal = wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const edge = /[\u3400-\u9fff]/.test(wanted) ? '' : '[\\p{L}\\p{N}]';
  const pattern = edge === '' ? new RegExp(literal, 'u') : new RegExp(`(?<!${edge})${literal}(?!${edge})`, 'u');
  return (text) => text.includes(wanted) && pattern.test(text);
}
