import type { Json } from './json.ts';

/**
 * RFC 8785 (JSON Canonicalization Scheme): keys sorted by UTF-16 code units, no white space, ECMAScript number and
 * string forms. The same value always gives the same text, so that its hash can be compared. Throws on NaN and infinities.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError('a number in canonical JSON must be finite');
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
