import type { PageFields } from '#contracts/research/page.ts';
import type { PageElement } from '../html/tree.ts';
import { nodesOf, textOf, typesOf, type LdNode } from './json-ld.ts';
import { firstOf, type MetaMap } from './meta.ts';
import { findScope, propertyOf } from './microdata.ts';
import { currencyIn, plainPrice } from './plain-price.ts';

export type ProductFields = Partial<
  Record<'name' | 'price' | 'currency' | 'brand' | 'sku' | 'gtin' | 'availability', string>
>;

const PRODUCT_TYPE = /^(?:Product|ProductGroup|ProductModel|IndividualProduct|Vehicle|Car|Book)$/u;

export function plainAvailability(source: string): string {
  const text = source.toLowerCase().replace(/[\s_-]+/gu, '');
  if (text === '') return '';
  if (/outofstock|soldout|discontinued|unavailable|oos$/u.test(text)) return 'OutOfStock';
  if (/instock|instoreonly|onlineonly|limitedavailability|preorder|presale|backorder|available/u.test(text))
    return 'InStock';
  return '';
}

function firstFilled(...values: string[]): string {
  return values.find((value) => value !== '') ?? '';
}

function offersOf(product: LdNode): LdNode[] {
  return nodesOf(product['offers']).flatMap((offer) => [offer, ...nodesOf(offer['offers'])]);
}

function priceIn(offer: LdNode): string {
  const specification = nodesOf(offer['priceSpecification'])[0];
  return firstFilled(textOf(offer['price']), textOf(offer['lowPrice']), textOf(specification?.['price']));
}

function fromJsonLd(nodes: readonly LdNode[]): ProductFields {
  const products = nodes.filter((node) => typesOf(node).some((type) => PRODUCT_TYPE.test(type)));
  const product = products.find((node) => offersOf(node).length > 0) ?? products[0];
  if (product === undefined) return {};
  const offers = offersOf(product);
  const priced = offers.find((offer) => priceIn(offer) !== '');
  const first = priced ?? offers[0] ?? {};
  const specification = nodesOf(first['priceSpecification'])[0];
  return {
    name: textOf(product['name']),
    price: plainPrice(priced === undefined ? '' : priceIn(priced)),
    currency: firstFilled(textOf(first['priceCurrency']), textOf(specification?.['priceCurrency'])),
    brand: firstFilled(textOf(product['brand']), textOf(product['manufacturer'])),
    sku: firstFilled(
      textOf(product['sku']),
      textOf(first['sku']),
      textOf(product['productID']),
      textOf(product['mpn']),
    ),
    gtin: firstFilled(
      ...['gtin13', 'gtin', 'gtin14', 'gtin12', 'gtin8', 'isbn'].flatMap((key) => [
        textOf(product[key]),
        textOf(first[key]),
      ]),
    ),
    availability: plainAvailability(
      offers.map((offer) => textOf(offer['availability'])).find((text) => text !== '') ?? '',
    ),
  };
}

function fromMicrodata(root: PageElement): ProductFields {
  const scope = findScope(root, /schema\.org\/(?:Product|IndividualProduct|ProductModel)\b/iu);
  if (scope === undefined) return {};
  const read = (name: string): string => propertyOf(scope, name);
  const price = firstFilled(read('price'), read('lowPrice'));
  return {
    name: read('name'),
    price: plainPrice(price),
    currency: firstFilled(read('priceCurrency'), currencyIn(price)),
    brand: firstFilled(read('brand'), read('manufacturer')),
    sku: firstFilled(read('sku'), read('productID'), read('mpn')).replace(/^[a-z]{2,5}\s*[:#]\s*/iu, ''),
    gtin: firstFilled(read('gtin13'), read('gtin'), read('gtin14'), read('gtin12'), read('gtin8')).replace(/^\D+/u, ''),
    availability: plainAvailability(read('availability')),
  };
}

function fromMeta(meta: MetaMap): ProductFields {
  const price = firstOf(meta, [
    'product:price:amount',
    'og:price:amount',
    'product:sale_price:amount',
    'twitter:data1',
  ]);
  const isPrice = /\d/u.test(price) && !/[a-z]{4,}/iu.test(price);
  return {
    price: isPrice ? plainPrice(price) : '',
    currency: firstFilled(
      firstOf(meta, ['product:price:currency', 'og:price:currency']),
      isPrice ? currencyIn(price) : '',
    ),
    brand: firstOf(meta, ['product:brand', 'og:brand']),
    sku: firstOf(meta, ['product:retailer_item_id', 'product:sku']),
    gtin: firstOf(meta, ['product:ean', 'product:upc', 'product:gtin', 'product:isbn']),
    availability: plainAvailability(firstOf(meta, ['product:availability', 'og:availability'])),
  };
}

function mergeFilled(sources: readonly ProductFields[]): ProductFields {
  const merged: ProductFields = {};
  for (const source of sources) {
    for (const [key, value] of Object.entries(source) as [keyof ProductFields, string][]) {
      if (value !== '' && merged[key] === undefined) merged[key] = value;
    }
  }
  return merged;
}

/** What a page states about one product in structured data: JSON-LD before microdata before `meta`. */
export function productFields(root: PageElement, nodes: readonly LdNode[], meta: MetaMap): ProductFields {
  const found = mergeFilled([fromJsonLd(nodes), fromMicrodata(root), fromMeta(meta)]);
  const hasOffer = found.price !== undefined || found.sku !== undefined || found.availability !== undefined;
  return hasOffer || found.name !== undefined ? found : {};
}

export function isProduct(fields: PageFields, nodes: readonly LdNode[], meta: MetaMap): boolean {
  const typed = nodes.some((node) => typesOf(node).some((type) => PRODUCT_TYPE.test(type) && type !== 'Book'));
  const declared = /^(?:og:)?product/u.test(firstOf(meta, ['og:type']));
  return (typed || declared) && fields.price !== undefined;
}
