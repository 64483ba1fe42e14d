import { attribute, findAll, type PageElement } from '../html/tree.ts';

export type MetaMap = ReadonlyMap<string, string>;

/** `meta` values by lower-case name, property or itemprop; the first one wins. */
export function readMeta(root: PageElement): MetaMap {
  const values = new Map<string, string>();
  for (const meta of findAll(root, (element) => element.tag === 'meta')) {
    const content = attribute(meta, 'content').trim();
    if (content === '') continue;
    for (const key of ['property', 'name', 'itemprop', 'http-equiv']) {
      for (const name of attribute(meta, key).toLowerCase().split(/\s+/u)) {
        if (name !== '' && !values.has(name)) values.set(name, content);
      }
    }
  }
  return values;
}

export function firstOf(meta: MetaMap, names: readonly string[]): string {
  for (const name of names) {
    const value = meta.get(name);
    if (value !== undefined && value !== '') return value;
  }
  return '';
}
