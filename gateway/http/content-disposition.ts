const MAX_NAME_CHARS = 120;
/** Controls, path and shell separators, and marks that change the direction of writing: a name must look like what it is. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\:*?"<>|%]+/gu;

/**
 * A `Content-Disposition` value (RFC 6266). `plainName` is sent as the ASCII fallback, `fullName` in UTF-8 with its
 * extension kept. A header cannot be split by it, whatever the names hold.
 */
export function contentDisposition(kind: 'attachment' | 'inline', plainName: string, fullName: string): string {
  const ascii = plainName.replace(/[^A-Za-z0-9._-]+/g, '_') || 'file';
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encodeName(cleanName(fullName))}`;
}

function cleanName(name: string): string {
  const clean = name
    .replace(UNSAFE, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .trim();
  const chars = Array.from(clean);
  if (chars.length <= MAX_NAME_CHARS) return clean || 'file';
  const extension = Array.from(/\.[A-Za-z0-9]{1,8}$/.exec(clean)?.[0] ?? '');
  return [...chars.slice(0, MAX_NAME_CHARS - extension.length), ...extension].join('');
}

/** RFC 8187: what `encodeURIComponent` leaves but the grammar does not allow is encoded too. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
