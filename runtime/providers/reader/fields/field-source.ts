import type { FieldOrigin, FieldSource } from '#contracts/research/page.ts';

/** One value of one field, with what states it. Nothing is ever a value without a place on the page that says it. */
export type Stated = { readonly value: string; readonly source: FieldSource; readonly detail: string };

export function originOf(stated: Stated, agrees: readonly FieldSource[] = []): FieldOrigin {
  const others = [...new Set(agrees)].filter((source) => source !== stated.source);
  return {
    source: stated.source,
    detail: stated.detail.slice(0, 120),
    ...(others.length > 0 ? { agrees: others } : {}),
  };
}
