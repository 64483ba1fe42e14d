import type { PageFields } from '#contracts/research/page.ts';
import { harmonicMean } from './score-articles.ts';

export type FieldCount = { readonly right: number; readonly wrong: number; readonly missed: number };
export type Accepted = ReadonlyMap<string, readonly string[]>;

/** "0012.50" and "12.5" are one number; "1,299" is none. */
function decimalKey(value: string): string {
  const parts = /^(\d*)(?:\.(\d*))?$/u.exec(value.trim());
  const whole = (parts?.[1] ?? '').replace(/^0+/u, '');
  const fraction = (parts?.[2] ?? '').replace(/0+$/u, '');
  if (parts === null || ((parts[1] ?? '') === '' && (parts[2] ?? '') === '')) return `no number: ${value}`;
  return `${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const stockKey = (value: string): string => (value.split(/[/#]/u).at(-1) ?? value).toLowerCase();
const wordKey = (value: string): string => value.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

type Judge = {
  readonly field: 'price' | 'availability' | 'sku' | 'brand';
  readonly key: (value: string) => string;
  /** The truth of a brand has holes; it counts only where there is one. */
  readonly onlyWhereKnown: boolean;
};

const JUDGES: readonly Judge[] = [
  { field: 'price', key: decimalKey, onlyWhereKnown: false },
  { field: 'availability', key: stockKey, onlyWhereKnown: false },
  { field: 'sku', key: (value) => value, onlyWhereKnown: false },
  { field: 'brand', key: wordKey, onlyWhereKnown: true },
];

export type ProductScore = Readonly<Record<`${Judge['field']}_f1`, number>>;

/** A wrong value is both a wrong one and a missed one. */
export function judgeField(accepted: readonly string[], said: string | undefined, key: Judge['key']): FieldCount {
  const isKnown = accepted.length > 0;
  if (said === undefined || said === '') return { right: 0, wrong: 0, missed: isKnown ? 1 : 0 };
  if (accepted.map(key).includes(key(said))) return { right: 1, wrong: 0, missed: 0 };
  return { right: 0, wrong: 1, missed: isKnown ? 1 : 0 };
}

/** Counts over all pages, as the public product extraction benchmark does. */
export function scoreProducts(pages: readonly { accepted: Accepted; fields: PageFields }[]): ProductScore {
  const figures = JUDGES.map(({ field, key, onlyWhereKnown }) => {
    let [right, wrong, missed] = [0, 0, 0];
    for (const { accepted, fields } of pages) {
      const values = accepted.get(field) ?? [];
      if (onlyWhereKnown && values.length === 0) continue;
      const count = judgeField(values, fields[field], key);
      right += count.right;
      wrong += count.wrong;
      missed += count.missed;
    }
    const f1 = right === 0 ? 0 : harmonicMean(right / (right + wrong), right / (right + missed));
    return [`${field}_f1`, f1] as const;
  });
  return Object.fromEntries(figures) as ProductScore;
}
