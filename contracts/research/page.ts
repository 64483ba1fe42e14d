import * as z from 'zod';

/**
 * What a reader made of one page. `text` is the truth that quotes point into: all offsets are UTF-16 code units in it.
 * Table rows stand in `text` as one line each, cells joined by a tab, so that a row can be quoted verbatim.
 */
export const PageKind = z.enum([
  'article',
  'documentation',
  'listing',
  'table',
  'product',
  'forum',
  'pdf',
  'plain',
  'error',
  'login',
  'captcha',
  'challenge',
  'consent',
  'soft_404',
  'skeleton',
  'empty',
]);
export type PageKind = z.infer<typeof PageKind>;

export const BlockKind = z.enum([
  'title',
  'heading',
  'paragraph',
  'list_item',
  'definition',
  'quote',
  'code',
  'caption',
  'table_header',
  'table_row',
]);
export type BlockKind = z.infer<typeof BlockKind>;

export const Block = z.object({
  kind: BlockKind,
  text: z.string(),
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  /** 1–6 for headings. */
  level: z.int().min(1).max(6).optional(),
  /** Index into `tables` and into that table's rows. */
  table: z.object({ index: z.int().nonnegative(), row: z.int().nonnegative() }).optional(),
  /** PDF page number, from 1. */
  page: z.int().positive().optional(),
});
export type Block = z.infer<typeof Block>;

export const PageFields = z.object({
  name: z.string().optional(),
  price: z.string().optional(),
  currency: z.string().optional(),
  brand: z.string().optional(),
  sku: z.string().optional(),
  gtin: z.string().optional(),
  availability: z.string().optional(),
  published: z.string().optional(),
  author: z.string().optional(),
});
export type PageFields = z.infer<typeof PageFields>;

/** Where on a page a field was found: in its data, in what a customer sees, or in its address as far as the page repeats it. */
export const FieldSource = z.enum(['json_ld', 'microdata', 'rdfa', 'meta', 'state', 'markup', 'shown', 'address']);
export type FieldSource = z.infer<typeof FieldSource>;
export const FieldOrigin = z.object({
  source: FieldSource,
  /** The property, label or words that state it. */
  detail: z.string(),
  /** Other sources that state the same. */
  agrees: z.array(FieldSource).optional(),
});
export type FieldOrigin = z.infer<typeof FieldOrigin>;
export const FieldOrigins = z.partialRecord(PageFields.keyof(), FieldOrigin);
export type FieldOrigins = z.infer<typeof FieldOrigins>;

export const Unread = z.object({ what: z.string(), reason: z.string() });
export type Unread = z.infer<typeof Unread>;

export const ReadPage = z.object({
  title: z.string(),
  text: z.string(),
  /** BCP 47, `und` when it cannot be told. */
  language: z.string(),
  blocks: z.array(Block),
  /** Every table as rows of cells, row and column spans expanded. */
  tables: z.array(z.array(z.array(z.string()))),
  fields: PageFields,
  /** Where each field came from; of pages read before this was kept it is absent. */
  field_origins: FieldOrigins.optional(),
  page_kind: PageKind,
  /** Why the page is no content at all (login wall, challenge, …); such a page is never evidence. */
  blocked: z.string().optional(),
  unread: z.array(Unread),
  /** Version of the reading rules; the same bytes and version give the same text. */
  parser_version: z.string(),
});
export type ReadPage = z.infer<typeof ReadPage>;
