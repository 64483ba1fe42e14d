/** The part of `localStorage` that is used, so that the rules over it can be tried without a browser. */
export type KeyValueStorage = {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};
