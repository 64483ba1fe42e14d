import { attribute, findAll, type PageElement } from '../html/tree.ts';
import type { LdNode } from './json-ld.ts';

/** An identifier in a page's address, and what else on the page names the same one. */
export type AddressIdentifier = { readonly value: string; readonly agrees: readonly string[] };

const ID_KEY =
  /^(?:@?id|sku|.*(?:product|item|article|listing|offer|ad|variant|goods|deal|style|catalog|prod|art|variation).{0,12}(?:id|no|nr|num|number|code|sku|key)|productid|itemid|asin|pid|gid|.*sku.*)$/iu;

function tokensOf(url: string): string[] {
  let path = url.replace(/^https?:\/\/[^/]*/iu, '').replace(/#.*$/u, '');
  try {
    path = decodeURIComponent(path);
  } catch {
    // An address with broken escapes is taken as it stands.
  }
  const parts = path.split(/[/?&=]/u).map((part) => part.replace(/\.(?:html?|php|aspx?|jsp)$/iu, ''));
  const tokens = parts.flatMap((part) => [part, ...part.split(/[-_.,]/u)]);
  return [...new Set(tokens)].filter(
    (token) => /\d/u.test(token) && token.length >= 4 && token.length <= 40 && !/\s/u.test(token),
  );
}

/** `p987929` and `iid987929` name the number behind their letters as well. */
function spellings(token: string): string[] {
  const bare = /^[a-z]{1,5}[_-]?(\d{4,})$/iu.exec(token)?.[1];
  return bare === undefined ? [token] : [token, bare];
}

function collectNamed(root: PageElement, nodes: readonly LdNode[]): Map<string, Set<string>> {
  const named = new Map<string, Set<string>>();
  const add = (value: string, where: string): void => {
    if (value.length < 4 || value.length > 40) return;
    const key = value.toLowerCase();
    named.set(key, (named.get(key) ?? new Set()).add(where));
  };
  for (const element of findAll(root, (candidate) => candidate.attributes.size > 0)) {
    if (element.tag === 'input' && ID_KEY.test(attribute(element, 'name') || attribute(element, 'id')))
      add(attribute(element, 'value'), `form ${attribute(element, 'name')}`);
    for (const [name, value] of element.attributes) {
      if (name.startsWith('data-') && value.length <= 40 && ID_KEY.test(name.slice(5).replaceAll('-', '')))
        add(value, name);
    }
  }
  for (const node of nodes) {
    for (const [key, value] of Object.entries(node)) {
      if ((typeof value === 'string' || typeof value === 'number') && ID_KEY.test(key))
        add(String(value), `data ${key}`);
    }
  }
  return named;
}

/** Identifiers of the address that the page's own forms or data name as well, the most agreed one first. */
export function addressIdentifiers(url: string, root: PageElement, nodes: readonly LdNode[]): AddressIdentifier[] {
  const tokens = tokensOf(url).flatMap(spellings);
  if (tokens.length === 0) return [];
  const named = collectNamed(root, nodes);
  return tokens
    .map((value) => ({ value, agrees: [...(named.get(value.toLowerCase()) ?? [])] }))
    .filter(({ agrees }) => agrees.length > 0)
    .sort((one, other) => other.agrees.length - one.agrees.length);
}
