import type { Json } from '../json.ts';

/** RFC 6901. `''` is the whole document. */
const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const unescape = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');
const partsOf = (pointer: string): string[] => pointer.split('/').slice(1).map(unescape);
const INDEX = /^(?:0|[1-9]\d*)$/;

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
export const isRecord = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const childPointer = (pointer: string, key: string | number): string => `${pointer}/${escape(String(key))}`;

export function pointerOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((pointer, key) => childPointer(pointer, String(key)), '');
}

/** `/scope/items/0` → `/scope/items`; the whole document has none. */
export function parentPointer(pointer: string): string | null {
  return pointer === '' ? null : pointer.slice(0, pointer.lastIndexOf('/'));
}

/** The value there; `undefined` where the document has none. */
export function readPointer(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const part of partsOf(pointer)) {
    if (isList(value)) value = INDEX.test(part) ? value[Number(part)] : undefined;
    else if (isRecord(value)) value = Object.hasOwn(value, part) ? value[part] : undefined;
    else return undefined;
  }
  return value;
}

/**
 * A copy with another value there. Names only what exists already: a member of a list, or `/-` for one more member.
 * `undefined` when the pointer names nothing.
 */
export function writePointer(document: Json, pointer: string, value: Json): Json | undefined {
  return write(document, partsOf(pointer), value);
}

function write(document: Json, parts: readonly string[], value: Json): Json | undefined {
  const [part, ...rest] = parts;
  if (part === undefined) return value;
  if (isList(document)) {
    const index = part === '-' && rest.length === 0 ? document.length : Number(part);
    if (part !== '-' && (!INDEX.test(part) || index >= document.length)) return undefined;
    const changed = write(document[index] ?? null, rest, value);
    return changed === undefined ? undefined : document.toSpliced(index, 1, changed);
  }
  if (!isRecord(document) || !Object.hasOwn(document, part)) return undefined;
  const changed = write(document[part] ?? null, rest, value);
  return changed === undefined ? undefined : { ...document, [part]: changed };
}

/** Pointers of everything that is a value by itself: scalars, and lists and records that are empty. */
export function leafPointers(document: Json, pointer = ''): string[] {
  if (isList(document)) {
    if (document.length === 0) return [pointer];
    return document.flatMap((item, index) => leafPointers(item, childPointer(pointer, index)));
  }
  if (!isRecord(document)) return [pointer];
  const entries = Object.entries(document);
  if (entries.length === 0) return [pointer];
  return entries.flatMap(([key, item]) => leafPointers(item, childPointer(pointer, key)));
}
