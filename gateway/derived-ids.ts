import { createHash } from 'node:crypto';

/** SHA-256 of the parts, unambiguous for any strings, as lower-case hexadecimal. */
export function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** An id that the same parts always give, so that a repeated request names the same thing. 192 bits. */
export function deriveId(prefix: string, parts: readonly string[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([prefix, ...parts]))
    .digest('base64url');
  return `${prefix}_${digest.slice(0, 32)}`;
}

/** SHA-256 of the UTF-8 bytes of a text, as lower-case hexadecimal. */
export function textHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
