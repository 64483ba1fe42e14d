/** Host of the internal site. It has no address: only the browser's own proxy knows it. */
export const LIBRARY_HOST = 'library.yunsou.internal';
export const LIBRARY_ORIGIN = `http://${LIBRARY_HOST}`;

export function addressOf(rootId: string, path: string): string {
  return `${LIBRARY_ORIGIN}/${encodeURIComponent(rootId)}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

export type LibraryPlace = { readonly rootId: string; readonly path: string };

/** The file that a request path names; null for anything that is no plain path below a root. */
export function placeOf(requestPath: string): LibraryPlace | null {
  const path = requestPath.replace(/[?#].*$/s, '');
  const segments: string[] = [];
  for (const part of path.split('/').slice(1)) {
    const segment = decodeSegment(part);
    if (segment === null) return null;
    segments.push(segment);
  }
  const [rootId, ...rest] = segments;
  return rootId === undefined || rest.length === 0 ? null : { rootId, path: rest.join('/') };
}

function decodeSegment(part: string): string | null {
  try {
    const segment = decodeURIComponent(part);
    // eslint-disable-next-line no-control-regex
    return segment === '' || segment === '.' || segment === '..' || /[/\\\0]/.test(segment) ? null : segment;
  } catch {
    return null;
  }
}
