import type { Json } from '#contracts/json.ts';

export type DraftPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string; readonly replay: Json }
  | { readonly kind: 'tool_call'; readonly id: string; readonly name: string; readonly json: string };

export type DraftStop = 'end' | 'tool_calls' | 'max_output' | 'refused' | 'window_full' | 'unknown';

/** A whole answer as the endpoint gave it: its end mark was seen, its content was not looked at. */
export type Draft = {
  readonly parts: readonly DraftPart[];
  readonly stop: DraftStop;
  /** The endpoint's word for the end. */
  readonly stopWord: string;
};

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** A token count of the endpoint; anything but a whole number says nothing. */
export const tokens = (value: unknown): number | null => (isCount(value) ? value : null);
