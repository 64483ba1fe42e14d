import type { FieldSource } from '#contracts/research/page.ts';
import type { PageElement } from '../html/tree.ts';
import { nodesOf, textOf, typesOf, type LdNode } from './json-ld.ts';
import { firstOf, type MetaMap } from './meta.ts';
import { findScope, propertyOf } from './microdata.ts';
import { currencyIn } from './currency.ts';

/** What one source of data on the page says about its product; an empty text is silence. */
export type StatedProduct = {
  readonly source: FieldSource;
  readonly name: string;
  /** As it stands in the data; reading it may need what the page shows. */
  readonly price: string;
  readonly currency: string;
  readonly brand: string;
  readonly sku: string;
  readonly gtin: string;
  readonly availability: string;
};

export const PRODUCT_TYPE = /^(?:Product|ProductGroup|ProductModel|IndividualProduct|SomeProducts|Vehicle|Car|Book)$/u;

export function plainAvailability(source: string): string {
  const text = source.toLowerCase().replace(/[\s_-]+/gu, '');
  if (text === '') return '';
  if (/outofstock|soldout|discontinued|unavailable|notavailable|oos$|^false$|^0$/u.test(text)) return 'OutOfStock';
  if (
    /instock|instoreonly|onlineonly|limitedavailability|preorder|presale|backorder|available|madetoorder|^true$/u.test(
      text,
    )
  )
    return 'InStock';
  return '';
}

export function firstFilled(...values: string[]): string {
  return values.find((value) => value !== '') ?? '';
}

function offersOf(product: LdNode): LdNode[] {
  return nodesOf(product['offers']).flatMap((offer) => [offer, ...nodesOf(offer['offers'])]);
}

function specificationOf(offer: LdNode): LdNode | undefined {
  const specifications = nodesOf(offer['priceSpecification']);
  return (
    specifications.find((one) => !/list|strikethrough|srp|msrp/iu.test(textOf(one['priceType']))) ?? specifications[0]
  );
}

function priceIn(offer: LdNode): string {
  return firstFilled(textOf(offer['price']), textOf(offer['lowPrice']), textOf(specificationOf(offer)?.['price']));
}

function availabilityOf(offers: readonly LdNode[]): string {
  const stated = offers.map((offer) => plainAvailability(textOf(offer['availability']))).filter((one) => one !== '');
  return stated.find((one) => one === 'InStock') ?? stated[0] ?? '';
}

/** The product that the page is about: one with an offer and a name that the page's title repeats, before lists of others. */
function mainProduct(nodes: readonly LdNode[], title: string): LdNode | undefined {
  const products = nodes.filter((node) => typesOf(node).some((type) => PRODUCT_TYPE.test(type)));
  const isTitled = (node: LdNode): boolean => {
    const name = textOf(node['name']).toLowerCase();
    return name.length >= 3 && title.toLowerCase().includes(name);
  };
  const offered = products.filter((node) => offersOf(node).length > 0);
  return offered.find(isTitled) ?? offered[0] ?? products.find(isTitled) ?? products[0];
}

export function fromJsonLd(nodes: readonly LdNode[], title: string): StatedProduct | undefined {
  const product = mainProduct(nodes, title);
  if (product === undefined) return undefined;
  // Sizes and colours stand inside the product, or beside it as products of the same name.
  const name = textOf(product['name']);
  const alike = nodes.filter((node) => node !== product && name !== '' && textOf(node['name']) === name);
  const variants = [...nodesOf(product['hasVariant']), ...alike].flatMap(offersOf);
  const offers = [...offersOf(product), ...variants];
  const priced = offers.find((offer) => priceIn(offer) !== '');
  const first = priced ?? offers[0] ?? {};
  const item = nodesOf(first['itemOffered'])[0] ?? {};
  return {
    source: 'json_ld',
    name: textOf(product['name']),
    price: priced === undefined ? '' : priceIn(priced),
    currency: firstFilled(textOf(first['priceCurrency']), textOf(specificationOf(first)?.['priceCurrency'])),
    brand: firstFilled(textOf(product['brand']), textOf(product['manufacturer'])),
    sku: firstFilled(
      textOf(product['sku']),
      textOf(first['sku']),
      textOf(item['sku']),
      textOf(product['productID']),
    ).replace(/^[a-z]{2,9}:/iu, ''),
    gtin: firstFilled(
      ...['gtin13', 'gtin', 'gtin14', 'gtin12', 'gtin8', 'isbn'].flatMap((key) => [
        textOf(product[key]),
        textOf(first[key]),
      ]),
    ),
    availability: availabilityOf(offers),
  };
}

function fromScope(scope: PageElement, source: FieldSource): StatedProduct {
  const read = (name: string): string => propertyOf(scope, name);
  const price = firstFilled(read('price'), read('lowPrice'));
  return {
    source,
    name: read('name'),
    price,
    currency: firstFilled(read('priceCurrency'), currencyIn(price)),
    brand: firstFilled(read('brand'), read('manufacturer')),
    sku: firstFilled(read('sku'), read('productID')).replace(/^[a-z]{2,5}\s*[:#]\s*/iu, ''),
    gtin: firstFilled(
      read('gtin13'),
      read('gtin'),
      read('gtin14'),
      read('gtin12'),
      read('gtin8'),
      read('isbn'),
    ).replace(/^\D+/u, ''),
    availability: plainAvailability(read('availability')),
  };
}

/** Microdata, and RDFa where a page uses that: both mark the elements that a customer sees. */
export function fromMarkup(root: PageElement): StatedProduct[] {
  const scope = findScope(
    root,
    /(?:schema\.org\/|schema:|^)(?:Product|IndividualProduct|ProductModel|ProductGroup)\b/iu,
  );
  if (scope === undefined) return [];
  return [fromScope(scope, scope.attributes.has('itemtype') ? 'microdata' : 'rdfa')];
}

export function fromMeta(meta: MetaMap): StatedProduct | undefined {
  const price = firstOf(meta, [
    'product:price:amount',
    'og:price:amount',
    'product:sale_price:amount',
    'twitter:data1',
  ]);
  const isPrice = /\d/u.test(price) && !/[a-z]{4,}/iu.test(price);
  const stated: StatedProduct = {
    source: 'meta',
    name: '',
    price: isPrice ? price : '',
    currency: firstFilled(
      firstOf(meta, ['product:price:currency', 'og:price:currency', 'product:sale_price:currency']),
      isPrice ? currencyIn(price) : '',
    ),
    brand: firstOf(meta, ['product:brand', 'og:brand']),
    sku: firstOf(meta, ['product:retailer_item_id', 'product:sku', 'og:sku']),
    gtin: firstOf(meta, ['product:ean', 'product:upc', 'product:gtin', 'product:isbn']),
    availability: plainAvailability(firstOf(meta, ['product:availability', 'og:availability'])),
  };
  return Object.entries(stated).some(([key, value]) => key !== 'source' && value !== '') ? stated : undefined;
}
