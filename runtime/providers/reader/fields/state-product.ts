import { textOf, type LdNode } from './json-ld.ts';
import { firstFilled, plainAvailability, type StatedProduct } from './structured-product.ts';

function valueOf(node: LdNode, keys: RegExp): string {
  for (const [key, value] of Object.entries(node)) {
    if (!keys.test(key)) continue;
    if (typeof value === 'boolean') return String(value);
    const text = textOf(value);
    if (text !== '') return text;
    // `price: { value: 12.5, currency: "EUR" }`
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const inner = value as LdNode;
      const amount = textOf(inner['value'] ?? inner['amount'] ?? inner['current'] ?? inner['price'] ?? inner['sale']);
      if (amount !== '') return amount;
    }
  }
  return '';
}

const NAME_KEY = /^(?:name|title|product_?name|item_?name|display_?name|productTitle|pn)$/iu;
const PRICE_KEY =
  /^(?:sale_?price|special_?price|current_?price|final_?price|selling_?price|price|product_?price|item_?price|prix|unit_?price|price_?value)$/iu;
const SKU_KEY =
  /^(?:sku|product_?sku|item_?number|article_?number|sku_?id|product_?code|item_?id|product_?id|part_?number|style_?number)$/iu;
const GTIN_KEY = /^(?:ean|ean13|gtin|gtin13|gtin14|gtin12|upc|isbn|isbn13|barcode)$/iu;
const BRAND_KEY = /^(?:brand|brand_?name|item_?brand|manufacturer|product_?brand|vendor)$/iu;
const CURRENCY_KEY = /^(?:currency|currency_?code|price_?currency|currency_?iso)$/iu;
const STOCK_KEY =
  /^(?:availability|stock_?status|in_?stock|is_?in_?stock|available|is_?available|sold_?out|is_?sold_?out)$/iu;

function stockOf(node: LdNode): string {
  for (const [key, value] of Object.entries(node)) {
    if (!STOCK_KEY.test(key)) continue;
    if (typeof value === 'boolean') return /sold/iu.test(key) === value ? 'OutOfStock' : 'InStock';
    const stated = typeof value === 'string' ? plainAvailability(value) : '';
    if (stated !== '') return stated;
  }
  return '';
}

/** What a page's own data says about goods that have the name which the page shows, or the number in its address. */
export function fromState(
  nodes: readonly LdNode[],
  names: readonly string[],
  ids: readonly string[],
): StatedProduct | undefined {
  const known = new Set(names.map((name) => name.toLowerCase().trim()).filter((name) => name.length >= 4));
  const numbers = new Set(ids.map((id) => id.toLowerCase()));
  let best: { readonly node: LdNode; readonly score: number } | undefined;
  for (const node of nodes) {
    const price = valueOf(node, PRICE_KEY);
    const sku = valueOf(node, SKU_KEY);
    if (price === '' && sku === '') continue;
    const isNamed = known.has(valueOf(node, NAME_KEY).toLowerCase().trim());
    const isNumbered = Object.entries(node).some(
      ([key, value]) => /id|sku|code|number/iu.test(key) && numbers.has(textOf(value).toLowerCase()),
    );
    if (!isNamed && !isNumbered) continue;
    const score = (isNamed ? 2 : 0) + (isNumbered ? 2 : 0) + (/\d/u.test(price) ? 2 : 0) + (sku === '' ? 0 : 1);
    if (best === undefined || score > best.score) best = { node, score };
  }
  if (best === undefined) return undefined;
  const { node } = best;
  return {
    source: 'state',
    name: valueOf(node, NAME_KEY),
    price: firstFilled(valueOf(node, PRICE_KEY)),
    currency: valueOf(node, CURRENCY_KEY),
    brand: valueOf(node, BRAND_KEY),
    sku: valueOf(node, SKU_KEY),
    gtin: valueOf(node, GTIN_KEY),
    availability: stockOf(node),
  };
}
