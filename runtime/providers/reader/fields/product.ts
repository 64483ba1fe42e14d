import type { FieldOrigin, FieldSource, PageFields } from '#contracts/research/page.ts';
import { hiddenTest } from '../html/visibility.ts';
import { findFirst, plainText, type PageElement } from '../html/tree.ts';
import { addressIdentifiers, type AddressIdentifier } from './address-identifier.ts';
import { localCurrency } from './currency.ts';
import { readEmbeddedState } from './embedded-state.ts';
import { originOf, type Stated } from './field-source.ts';
import { typesOf, type LdNode } from './json-ld.ts';
import { firstOf, type MetaMap } from './meta.ts';
import { resolvePrice } from './resolve-price.ts';
import { resolveSku } from './resolve-sku.ts';
import { resolveStock } from './resolve-stock.ts';
import { shopView, type ShopView } from './shop-view.ts';
import { fromState } from './state-product.ts';
import { fromJsonLd, fromMarkup, fromMeta, PRODUCT_TYPE, type StatedProduct } from './structured-product.ts';
import { shownIdentifiers, type ShownIdentifier } from './visible-identifier.ts';
import { shownPrices, type ShownPrice } from './visible-price.ts';
import { shownStock, type ShownStock } from './visible-stock.ts';

export type ProductPage = {
  readonly root: PageElement;
  readonly nodes: readonly LdNode[];
  readonly meta: MetaMap;
  readonly url: string;
};
export type ProductKey = 'name' | 'price' | 'currency' | 'brand' | 'sku' | 'gtin' | 'availability';
export type ProductFields = {
  readonly fields: Partial<Record<ProductKey, string>>;
  readonly origins: Partial<Record<ProductKey, FieldOrigin>>;
};

/** A price that a customer cannot miss. */
const CLEARLY_SHOWN = 3;
const NOTHING: ProductFields = { fields: {}, origins: {} };

function titleOf(root: PageElement, meta: MetaMap): string {
  const title = findFirst(root, (element) => element.tag === 'title');
  return `${title === undefined ? '' : plainText(title)} ${firstOf(meta, ['og:title'])}`;
}

function isDeclared(nodes: readonly LdNode[], meta: MetaMap): boolean {
  const typed = nodes.some((node) => typesOf(node).some((type) => PRODUCT_TYPE.test(type) && type !== 'Book'));
  return typed || /^(?:og:)?product/u.test(firstOf(meta, ['og:type']));
}

/** The first source that says something about a field, in the order of trust. */
function firstStated(stated: readonly StatedProduct[], key: 'name' | 'brand' | 'gtin'): Stated | undefined {
  const found = stated.find((one) => one[key] !== '');
  return found && { value: found[key], source: found.source, detail: key };
}

/** Whether anything on the page offers goods; only then is the costly look at what is visible worth it. */
function looksOffered(page: ProductPage, structured: readonly StatedProduct[]): boolean {
  if (structured.some((one) => one.price !== '' || one.availability !== '' || one.sku !== '')) return true;
  if (isDeclared(page.nodes, page.meta)) return true;
  const type = firstOf(page.meta, ['og:type']);
  if (type === 'article') return false;
  return findFirst(page.root, (element) => /^(?:button|form|input)$/u.test(element.tag)) !== undefined;
}

function viewOf(page: ProductPage, structured: readonly StatedProduct[]): ShopView {
  const title = findFirst(page.root, (element) => element.tag === 'title');
  const names = [
    ...structured.map((one) => one.name),
    firstOf(page.meta, ['og:title', 'twitter:title']),
    title === undefined ? '' : plainText(title),
  ];
  return shopView(page.root, hiddenTest(page.root), names);
}

function shownName(view: ShopView): Stated | undefined {
  const text = view.heading === undefined ? '' : plainText(view.heading);
  return text === '' || text.length > 300 ? undefined : { value: text, source: 'shown', detail: 'main heading' };
}

class Gathered {
  readonly fields: Partial<Record<ProductKey, string>> = {};
  readonly origins: Partial<Record<ProductKey, FieldOrigin>> = {};

  set(key: ProductKey, stated: Stated | undefined, agrees: readonly FieldSource[] = []): void {
    if (stated === undefined || stated.value === '') return;
    this.fields[key] = stated.value;
    this.origins[key] = originOf(stated, agrees);
  }
}

/** Everything on a page that may speak of its goods. */
type Look = {
  readonly structured: readonly StatedProduct[];
  readonly view: ShopView;
  readonly stock: ShownStock;
  readonly prices: readonly ShownPrice[];
  readonly identifiers: readonly ShownIdentifier[];
  readonly data: readonly LdNode[];
  readonly address: readonly AddressIdentifier[];
};

function lookAt(page: ProductPage, structured: readonly StatedProduct[]): Look {
  const view = viewOf(page, structured);
  const stock = shownStock(view);
  const data = readEmbeddedState(page.root);
  return {
    structured,
    view,
    stock,
    prices: shownPrices(view, stock.buy?.element),
    identifiers: shownIdentifiers(view),
    data,
    address: addressIdentifiers(page.url, page.root, data),
  };
}

/** Without data that says so, goods are offered where a price has a button that buys, or a clear price or notice has a number. */
function isOffer({ structured, stock, prices, identifiers, address }: Look): boolean {
  if (structured.length > 0 || (stock.buy !== undefined && prices.length > 0)) return true;
  const isClear = stock.soldOut !== '' || (prices[0]?.score ?? 0) >= CLEARLY_SHOWN;
  return isClear && identifiers.length > 0 && address.length > 0;
}

function allStated({ structured, view, data, address }: Look): readonly StatedProduct[] {
  const names = [...structured.map((one) => one.name), shownName(view)?.value ?? ''];
  const state = fromState(
    data,
    names,
    address.map((one) => one.value),
  );
  return state === undefined ? structured : [...structured, state];
}

function shownGtin(identifiers: readonly ShownIdentifier[]): Stated | undefined {
  const found = identifiers.find((one) => one.kind === 'gtin');
  return found && { value: found.value, source: 'shown', detail: found.label };
}

/** What a page says about the product it is about: its data, held against what a customer sees. Silence stays silence. */
export function productFields(page: ProductPage): ProductFields {
  const title = titleOf(page.root, page.meta);
  const structured = [fromJsonLd(page.nodes, title), ...fromMarkup(page.root), fromMeta(page.meta)].filter(
    (one) => one !== undefined,
  );
  if (!looksOffered(page, structured)) return NOTHING;
  const look = lookAt(page, structured);
  if (!isOffer(look)) return NOTHING;
  const { view, stock, prices, identifiers, address } = look;
  const stated = allStated(look);
  const gathered = new Gathered();
  const price = resolvePrice(stated, prices, { hasButton: stock.buy !== undefined });
  const availability = resolveStock(stated, stock, price !== undefined);
  if (price === undefined && availability === undefined && structured.length === 0) return NOTHING;
  gathered.set('price', price?.amount, price?.agrees);
  gathered.set('currency', price && currencyOf(price.currency, page.url));
  gathered.set('availability', availability?.stated, availability?.agrees);
  const sku = resolveSku(stated, identifiers, address);
  gathered.set('sku', sku?.stated, sku?.agrees);
  gathered.set('name', firstStated(stated, 'name') ?? shownName(view));
  gathered.set('brand', firstStated(stated, 'brand'));
  gathered.set('gtin', firstStated(stated, 'gtin') ?? shownGtin(identifiers));
  return gathered;
}

function currencyOf(stated: Stated, url: string): Stated {
  return { ...stated, value: localCurrency(stated.value, stated.source !== 'shown', url) };
}

export function isProduct(fields: PageFields, nodes: readonly LdNode[], meta: MetaMap): boolean {
  return isDeclared(nodes, meta) && fields.price !== undefined;
}
