const DEFAULT_LIMIT = 100;

/** A counter that a client sent; beyond what the log can hold it is as good as the end. */
export const readCounter = (text: string): number => Math.min(Number(text), Number.MAX_SAFE_INTEGER);

/** Rows of a page; the schema of the query keeps it between 1 and 500. */
export const readLimit = (text: string | undefined): number => (text === undefined ? DEFAULT_LIMIT : Number(text));
