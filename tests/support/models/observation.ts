import type { Json } from '#contracts/json.ts';

export type PendingTimer = { readonly id: string; readonly dueAtMs: number };
export type ActiveInvoke = { readonly id: string; readonly src: string; readonly input: Json };

/** What can be seen of an actor from outside its machine, in the same words for a durable and a live one. */
export type Observation = {
  readonly status: string;
  readonly value: Json;
  readonly history: Json;
  readonly context: Json;
  readonly output: Json;
  readonly timers: readonly PendingTimer[];
  readonly invokes: readonly ActiveInvoke[];
};

/** What the step before asked for. The order inside each list is the order of the requests. */
export type Asked = {
  readonly mail: readonly Json[];
  readonly published: readonly Json[];
  readonly written: readonly Json[];
  readonly fences: readonly Json[];
  readonly reply: Json;
};

/** What became of invokes between two looks, by id. */
export type Turnover = {
  /** Their instance is new. */
  readonly started: readonly string[];
  /** They were left before they had a result. */
  readonly cancelled: readonly string[];
};

export function asJson(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
}

export const byId = <Item extends { readonly id: string }>(a: Item, b: Item): number => (a.id < b.id ? -1 : 1);
