// U+0000 and lone surrogates cannot stand in a `text` column; `json` columns keep them as escapes.
const UNSTORABLE = /\u0000|\p{Surrogate}/gu;

/** The text as a `text` column can hold it, position by position: what it cannot hold becomes U+FFFD. */
export function storableText(value: string): string {
  return UNSTORABLE.test(value) ? value.replace(UNSTORABLE, '\ufffd') : value;
}

type Scalar = string | number | boolean | null;

/** A PostgreSQL array literal. Made before a connection is taken, so that no connection waits for serialising. */
export function arrayLiteral(values: readonly Scalar[]): string {
  let literal = '{';
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (index > 0) literal += ',';
    if (value === null || value === undefined) literal += 'NULL';
    else if (typeof value === 'string') literal += quoteElement(value);
    else literal += String(value);
  }
  return `${literal}}`;
}

function quoteElement(text: string): string {
  const escaped = /["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text;
  return `"${escaped}"`;
}
