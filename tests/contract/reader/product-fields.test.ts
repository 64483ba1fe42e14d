import { describe, expect, it } from 'vitest';
import type { ReadPage } from '#contracts/research/page.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';

const reader = createReader();
const read = (html: string, url = 'https://shop.test/lamp'): Promise<ReadPage> =>
  reader.read({ bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', url });

const shop = (offer: string, more = ''): string =>
  `<title>Oak lamp | Shop</title><header>Cart: <span class="price">0,00 €</span></header><main><h1>Oak lamp</h1>${offer}</main>${more}`;

describe('a product that only shows itself', () => {
  it.each([
    ['<span class="price">1.299,00 €</span>', '1299.00', 'EUR'],
    ['<span class="price">$1,299.50</span>', '1299.50', 'USD'],
    ['<span class="price">1 299,00 zł</span>', '1299.00', 'PLN'],
    ['<span class="price">₹1,29,999</span>', '129999', 'INR'],
    ['<span class="price">49<sup>99</sup> Lei</span>', '49.99', 'RON'],
    ['<span class="price"><b>49</b>,<i>95</i> €</span>', '49.95', 'EUR'],
    ['<div>售價 <b>￥129.00</b></div>', '129.00', 'CNY'],
    ['<del>€ 80,00</del> <span>€ 64,00</span>', '64.00', 'EUR'],
    ['<span class="old-price">£30.00</span> <span class="price">£25.00</span>', '25.00', 'GBP'],
    ['<span class="price">£25.00</span><p>Delivery £4.95</p><p>or £2.50 per month</p>', '25.00', 'GBP'],
  ])('[BR-09] %s costs %s %s', async (offer, price, currency) => {
    const { fields, field_origins } = await read(shop(`${offer}<button>Add to cart</button>`));
    expect(fields).toMatchObject({ name: 'Oak lamp', price, currency, availability: 'InStock' });
    expect(field_origins?.price?.source).toBe('shown');
    expect(field_origins?.availability).toEqual({ source: 'shown', detail: 'Add to cart' });
  });

  it.each([
    ['<button>In den Warenkorb</button>', 'InStock'],
    ['<button>加入购物车</button>', 'InStock'],
    ['<input type="submit" value="Ajouter au panier">', 'InStock'],
    ['<a class="btn" href="#">В корзину</a>', 'InStock'],
    ['<p>Ausverkauft</p>', 'OutOfStock'],
    ['<p>该商品已售罄</p>', 'OutOfStock'],
    ['<p>Currently unavailable.</p><button disabled>Add to cart</button>', 'OutOfStock'],
  ])('[BR-09] %s says %s', async (words, availability) => {
    const page = await read(
      shop(`<span class="price">€ 12,50</span>${words}<input type="hidden" name="productId" value="88213">
        <p>SKU: 88213</p>`),
      'https://shop.test/lamp-88213',
    );
    expect(page.fields).toMatchObject({ price: '12.50', availability, sku: '88213' });
  });

  it('[BR-09] goods beside it, in a list of others or in the cart, are not its price', async () => {
    const card = (price: string): string =>
      `<li class="card"><a href="#">Other</a><span class="price">${price}</span></li>`;
    const page = await read(
      shop(
        '<p class="price">€ 45,00</p><button>In winkelwagen</button>',
        `<div class="related"><ul>${card('€ 5,00')}${card('€ 6,00')}${card('€ 7,00')}</ul></div>`,
      ),
    );
    expect(page.fields.price).toBe('45.00');
  });

  it.each([
    ['Art.-Nr.: AB-1204', 'AB-1204'],
    ['<b>Item #</b> <span>418-295</span>', '418-295'],
    ['<table><tr><th>货号</th><td>K7781</td></tr></table>', 'K7781'],
    ['<dl><dt>Артикул:</dt><dd>120453</dd></dl>', '120453'],
    ['Kód produktu: 5567X', '5567X'],
  ])('[BR-09] %s is its number %s', async (label, sku) => {
    const page = await read(shop(`<span class="price">€ 12,50</span><button>Buy now</button><div>${label}</div>`));
    expect(page.fields.sku).toBe(sku);
  });
});

describe('data and what is shown', () => {
  const ld = (offer: object): string =>
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', name: 'Oak lamp', sku: 'OL-7', offers: offer })}</script>`;

  it('[BR-09] data that the page bears out counts, and both are named', async () => {
    const page = await read(
      ld({ price: 49.9, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' }) +
        shop('<p class="price">49,90 €</p><button>Kaufen</button>'),
    );
    expect(page.fields).toMatchObject({ price: '49.9', currency: 'EUR', sku: 'OL-7', availability: 'InStock' });
    expect(page.field_origins?.price).toEqual({ source: 'json_ld', detail: 'price', agrees: ['shown'] });
  });

  it('[BR-09] a price that is clearly shown outranks data that lags behind', async () => {
    const page = await read(
      ld({ price: '80.00', priceCurrency: 'EUR' }) +
        shop('<del class="old-price">80,00 €</del><span class="price-current">64,00 €</span><button>Kaufen</button>'),
    );
    expect(page.fields.price).toBe('64.00');
    expect(page.field_origins?.price?.source).toBe('shown');
  });

  it('[BR-09] a number with three decimals in data is read as the page shows it', async () => {
    const page = await read(
      ld({ price: '49.990', priceCurrency: 'EUR' }) + shop('<p class="price">49,99 €</p><button>Kaufen</button>'),
    );
    expect(Number(page.fields.price)).toBe(49.99);
  });

  it('[BR-09] a sold-out notice without a button outranks data that says otherwise', async () => {
    const page = await read(
      ld({ price: '80.00', priceCurrency: 'EUR', availability: 'InStock' }) +
        shop('<p class="price">80,00 €</p><p>Sold out</p>'),
    );
    expect(page.fields.availability).toBe('OutOfStock');
  });

  it('[BR-09] RDFa is read like microdata', async () => {
    const page = await read(
      `<title>Oak lamp</title><div vocab="https://schema.org/" typeof="Product"><h1 property="name">Oak lamp</h1>
       <div property="offers" typeof="Offer"><span property="price" content="19.5">19,50</span><meta property="priceCurrency" content="EUR"></div></div>`,
    );
    expect(page.fields).toMatchObject({ name: 'Oak lamp', price: '19.5', currency: 'EUR' });
    expect(page.field_origins?.price?.source).toBe('rdfa');
  });

  it('[BR-09] data in scripts is read as data, never run', async () => {
    const page = await read(
      shop(
        '<p>12,00 €</p><button>Kaufen</button>',
        `<script>window.ran = (function () { throw new Error('ran') })(); dataLayer.push({ecommerce: {detail: {products: [{'name': 'Oak lamp', price: 1200, id: "x-77121", brand: 'Aalto',}]}}});</script>`,
      ),
    );
    expect(page.fields).toMatchObject({ price: '12', brand: 'Aalto' });
    expect(page.field_origins?.brand).toEqual({ source: 'state', detail: 'brand' });
  });
});

describe('silence', () => {
  it('[EV-04] nothing is invented for a page that offers nothing', async () => {
    const page = await read(
      `<title>Prices rise</title><article><h1>Prices rise again</h1><p>A litre of milk cost € 1,29 in May, and a lamp $30. ${'The bank expects more of it. '.repeat(20)}</p>
       <p>Unavailable goods were the reason.</p><form><input name=q><button>Search</button></form></article>`,
    );
    expect(page.fields.price).toBeUndefined();
    expect(page.fields.availability).toBeUndefined();
    expect(page.fields.sku).toBeUndefined();
  });

  it('[EV-04] what a product page does not say stays unsaid', async () => {
    const page = await read(shop('<span class="price">€ 12,50</span><button>Buy now</button>'));
    expect(page.fields).not.toHaveProperty('sku');
    expect(page.fields).not.toHaveProperty('gtin');
    expect(page.fields).not.toHaveProperty('brand');
  });
});
