import * as z from 'zod';

export const FieldType = z.enum(['text', 'number', 'integer', 'money', 'date', 'boolean', 'choice', 'url']);
export type FieldType = z.infer<typeof FieldType>;

/** DS-01: one column of a data set. An unknown value stays null with a reason, so `required` speaks of the search, not of the cell. */
export const DatasetField = z.strictObject({
  name: z.string().min(1).max(80),
  type: FieldType,
  unit: z.string().min(1).max(40).nullable(),
  /** Digits after the decimal point; null keeps what the source says. */
  precision: z.int().min(0).max(12).nullable(),
  /** The values a `choice` may have. */
  choices: z.array(z.string().min(1).max(80)).max(50),
  /** A row that lacks it is a gap that is looked for again; otherwise its absence is only noted. */
  required: z.boolean(),
  /** `quote`: a value needs a located quote; `row`: the quote of its row is enough. */
  evidence: z.enum(['quote', 'row']),
});
export type DatasetField = z.infer<typeof DatasetField>;
