import { attribute, plainText, tidyText, type PageElement } from '../html/tree.ts';
import { distanceOf, isElsewhere, type ShopView } from './shop-view.ts';

export type ShownIdentifier = {
  readonly value: string;
  readonly label: string;
  readonly kind: 'sku' | 'model' | 'gtin';
};

/** How a seller's own number of its goods is labelled. */
const SKU_LABELS = [
  'sku',
  'asin',
  '(?:item|product|prod\\.?|article|art\\.?|catalogu?e?|cat\\.?|stock|web|style|order|lot|listing|ad|post(?:ing)?|offer|deal|model/style|reference)[\\s-]*(?:no\\b|nr\\b|n[°ºo]|number|num|#|code|id|sku|ref(?:erence)?)\\.?',
  'item\\s*#',
  'ref(?:\\.|erence|erencia|[eê]ncia|erinta|eren[ct]e)?(?:\\s*(?:no|nr|n[°º]|num(?:ber|[eé]ro)?))?',
  'r[eé]f(?:\\.|[eé]rence)?(?:\\s*(?:produit|article|n[°º]))?',
  'art(?:ikel|icle|icolo|[ií]culo|igo)?[\\s.-]*(?:-?nr|nummer|n[°ºr]|num(?:ero|éro)?|no|id|code|kod)\\.?',
  'bestell[\\s-]?(?:nr|nummer)\\.?',
  'produkt[\\s-]?(?:nr|nummer|code|id|-nr)\\.?',
  'cod(?:e|ice|[ií]go|\\.)?\\s*(?:de(?:l)?\\s*)?(?:art(?:icle|icolo|[ií]culo|igo)?\\.?|prod(?:uit|otto|ucto|uto|us|\\.)?|produs|articol|sku|ref\\.?)?',
  'cod\\s*produs|cod\\.?',
  'n[°ºr]\\.?\\s*(?:d.)?\\s*(?:art(?:icle|ikel|\\.)?|produit)',
  '(?:kat(?:alogov[eé]|alogo)?|obj(?:ednac[ií])?)\\.?\\s*(?:č(?:[ií]s(?:lo|\\.)|\\.)?|cislo)',
  'k[oó]d(?:\\s*(?:produktu|zbo[zž][ií]|tovaru|produkt))?',
  'č[ií]slo\\s*(?:produktu|zbo[zž][ií]|tovaru|artiklu)',
  '(?:nr|numer|indeks|symbol)\\s*(?:ref(?:erencyjny)?\\.?|katalogowy|produktu|artykułu|art\\.?|kat\\.?)',
  'cikksz[aá]m|term[eé]kk[oó]d',
  '[sš]ifra(?:\\s*(?:artikla|izdelka|proizvoda))?',
  'tootekood|tooteno|artikkel|tuotenumero|tuotekoodi|varenr\\.?|varenummer|varunummer|art\\.?nr\\.?|best\\.?nr\\.?',
  'prek[eė]s kodas|preces kods',
  'артикул|арт\\.?|код(?:\\s*(?:товара|товару|продукта|продукту))?|номер(?:\\s*(?:товара|объявления|артикула))?',
  'κωδικ[όο]ς(?:\\s*προϊ[όο]ντος)?',
  '[uü]r[uü]n\\s*(?:kodu|no|id)|stok\\s*kodu',
  'מק"?ט|מק״ט|קוד\\s*(?:מוצר|פריט)|מספר\\s*(?:מוצר|פריט)',
  '(?:رمز|رقم|كود)\\s*(?:المنتج|السلعة|الموديل|التخزين)?|شناسه',
  '(?:商品|產品|产品|货物|貨物|賣場|宝贝)?(?:编号|編號|貨號|货号|编码|編碼|代號|代码|料號|料号)',
  '(?:商品|製品|お申し?込み?)?(?:番号|コード)|品番',
  '상품\\s*(?:번호|코드)|제품\\s*번호|모델명',
  'm[aã] (?:s[aả]n ph[aẩ]m|h[aà]ng)',
  'รหัส(?:สินค้า)?',
  'num[eé]ro (?:de (?:l.)?(?:objet|article|annonce)|d.(?:objet|article))|n[uú]mero (?:de )?(?:art[ií]culo|item|anuncio|producto)|numero (?:oggetto|articolo)|(?:ebay-)?artikelnummer|objectnummer|anzeigennummer',
];
const MODEL_LABELS = [
  'mpn',
  '(?:manufacturer|mfr|mfg|vendor|hersteller)[\\s.-]*(?:part)?[\\s.-]*(?:no|nr|number|nummer|#|code)?\\.?',
  '(?:item )?model(?:e|l|lo|o)?(?:\\s*(?:no|nr|number|nummer|name|#))?\\.?',
  'part\\s*(?:no|number|#)\\.?',
  'modell?nummer',
  'модель',
  '型番|型号|型號',
];
const GTIN_LABELS = [
  'ean(?:[\\s-]?(?:13|8|code|kod))?',
  'gtin(?:-?1[234]|-?8)?',
  'upc',
  'isbn(?:[\\s-]?1[03])?',
  'barcode',
  'штрих-?код',
  '条形码|條碼|国际条码',
];

const label = (sources: readonly string[]): RegExp =>
  new RegExp(`^[\\s•·*(\\[-]*((?:${sources.join('|')}))(?![\\p{L}])\\s*[\\])]?\\s*(?:[:：=#.]|$|(?=\\s|\\d))`, 'iu');
const KINDS = [
  ['gtin', label(GTIN_LABELS)],
  ['model', label(MODEL_LABELS)],
  ['sku', label(SKU_LABELS)],
] as const;

const VALUE = /^[\s:：#.°º\u200e\u200f"'(-]*((?=[^\s]*\d)[\p{L}\d][\p{L}\d./_+-]*(?:\s\d[\d./-]*){0,4})/u;
const MAX_LABELLED = 70;

/** `SKU: AB-12` → what follows the label, when that looks like a number of goods and not like prose. */
function valueAfter(text: string): string {
  const found = VALUE.exec(text)?.[1] ?? '';
  const rest = text.slice(text.indexOf(found) + found.length).trim();
  const value = found.replace(/[./_+-]+$/u, '');
  const compact = value.replace(/\s/gu, '');
  if (!/\d/u.test(compact) || compact.length < 3 || compact.length > 32) return '';
  if (/^(?:19|20)\d\d$/u.test(compact) || /^[\d.,]+\s*(?:€|\$|£|%)/u.test(text.trim())) return '';
  return rest.length > 40 ? '' : value;
}

function spotText(view: ShopView, element: PageElement): string {
  const span = view.spans.get(element);
  return span === undefined || span.end - span.start > MAX_LABELLED || span.end === span.start
    ? ''
    : tidyText(plainText(element));
}

/** The text beside a label: what follows in the same element, else the next element with text. */
function besideText(view: ShopView, element: PageElement): string {
  for (let up: PageElement | null = element, level = 0; up?.parent && level < 3; up = up.parent, level += 1) {
    const siblings = up.parent.children;
    const at = siblings.indexOf(up);
    const after = siblings.slice(at + 1, at + 8);
    const text = after
      .map((node) =>
        node.kind === 'text' ? tidyText(node.text) : view.spans.has(node) ? tidyText(plainText(node)) : '',
      )
      .find((words) => words !== '' && !/^[:：#]$/u.test(words));
    if (text !== undefined) return text.length <= MAX_LABELLED + 40 ? text : '';
  }
  return '';
}

/** Identifiers with a label that a customer sees, nearest to the heading first. */
export function shownIdentifiers(view: ShopView): ShownIdentifier[] {
  const found: (ShownIdentifier & { readonly rank: number })[] = [];
  for (const element of view.elements) {
    const text = spotText(view, element);
    if (text === '') continue;
    for (const [kind, pattern] of KINDS) {
      const match = pattern.exec(text);
      if (match === null) continue;
      const rest = text.slice(match[0].length);
      const value = rest.trim() === '' ? valueAfter(besideText(view, element)) : valueAfter(rest);
      if (value === '' || isElsewhere(view, element) || isInForm(element)) break;
      const distance = distanceOf(view, element);
      found.push({
        kind,
        value,
        label: (match[1] ?? '').trim(),
        rank: distance < 0 ? 3 * Math.abs(distance) : distance,
      });
      break;
    }
  }
  found.sort((one, other) => one.rank - other.rank);
  return found.filter(
    (one, at) => found.findIndex((other) => other.kind === one.kind && other.value === one.value) === at,
  );
}

function isInForm(element: PageElement): boolean {
  return /^(?:option|select|button|a)$/u.test(element.tag) || attribute(element, 'role') === 'button';
}
