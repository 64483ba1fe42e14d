import type { Json } from './json.ts';

/**
 * RFC 8785 (JSON Canonicalization Scheme): keys sorted by UTF-16 code units, no white space, ECMAScript number and
 * string forms. The same value always gives the same text, so that its hash can be compared.
 * Throws on what I-JSON cannot say: NaN, infinities, half of a surrogate pair.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError('a number in canonical JSON must be finite');
  if (typeof value === 'string') return canonicalText(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${canonicalText(key)}:${canonicalJson(item)}`).join(',')}}`;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function canonicalText(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new TypeError('a text in canonical JSON holds no half of a surrogate pair');
  return JSON.stringify(text);
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
