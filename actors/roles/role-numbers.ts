/** A figure of a text. `readings`: what it may mean, for "1,234" is one number or, in a list, two. */
export type Figure = { readonly text: string; readonly readings: readonly (readonly number[])[] };

const FIGURE =
  /(\d+(?:[.,\u00a0\u202f ](?=\d{3}(?!\d))\d{3}|[.,]\d+)*)(\s*(?:万亿|千万|百万|亿|万|千|thousand|million|billion|trillion|bn|mn|k)(?![a-z]))?/giu;
const SCALES: Readonly<Record<string, number>> = {
  万亿: 1e12,
  千万: 1e7,
  百万: 1e6,
  亿: 1e8,
  万: 1e4,
  千: 1e3,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  bn: 1e9,
  mn: 1e6,
  k: 1e3,
};
const WORDS: readonly [RegExp, number][] = (
  'two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, index) => [word, index + 2]) as [
    string,
    number,
  ][]
).map(([word, value]) => [new RegExp(`\\b${word}\\b`, 'iu'), value]);
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const CJK_DIGITS = '〇一二三四五六七八九十';

/** Figures of a claim, digits and English number words. */
export function numbersOf(text: string): Figure[] {
  const plain = text.normalize('NFKC');
  const digits = [...plain.matchAll(FIGURE)].map((match): Figure => {
    const scale = SCALES[(match[2] ?? '').trim().toLowerCase()] ?? 1;
    return { text: match[0].trim(), readings: readingsOf(match[1] ?? '', scale) };
  });
  const words = WORDS.flatMap(([word, value]): Figure[] => {
    const found = word.exec(plain);
    return found === null ? [] : [{ text: found[0], readings: [[value]] }];
  });
  return [...digits, ...words];
}

/** True when one reading of the figure stands in the text, whatever way it is written there. */
export function isContained(figure: Figure, text: string): boolean {
  const present = valuesIn(text);
  return figure.readings.some((values) => values.every((value) => present.some((other) => isSame(value, other))));
}

function valuesIn(text: string): number[] {
  const plain = text.normalize('NFKC');
  const values = numbersOf(text).flatMap(({ readings }) => readings.flat());
  // "1.2 million" holds 1.2 as well.
  for (const match of plain.matchAll(FIGURE)) values.push(...readingsOf(match[1] ?? '', 1).flat());
  MONTHS.forEach((name, index) => {
    if (new RegExp(`\\b${name}[a-z]*\\b`, 'u').test(plain)) values.push(index + 1);
  });
  for (const char of plain) {
    const value = CJK_DIGITS.indexOf(char);
    if (value >= 0) values.push(value);
  }
  return plain.includes('两') ? [...values, 2] : values;
}

function readingsOf(written: string, scale: number): number[][] {
  const grouped = /^\d{1,3}(?:[,\u00a0\u202f ]\d{3})+(?:\.\d+)?$/u.test(written);
  if (grouped) return [[Number(written.replace(/[,\u00a0\u202f ]/gu, '')) * scale], partsOf(written)];
  if (/^\d+(?:\.\d+)?$/u.test(written)) return [[Number(written) * scale]];
  // Grouped with points, with a decimal comma, a version, or a list without spaces.
  const asDecimal = /^\d+,\d+$/u.test(written) ? [[Number(written.replace(',', '.')) * scale]] : [];
  const asPoints = /^\d{1,3}(?:\.\d{3})+$/u.test(written) ? [[Number(written.replaceAll('.', '')) * scale]] : [];
  return [...asDecimal, ...asPoints, partsOf(written)];
}

const partsOf = (written: string): number[] => written.split(/[.,\u00a0\u202f ]/u).map(Number);

const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
