const DEFAULT_LIMIT = 100;

/** Rows of a page; the schema of the query keeps it between 1 and 500. */
export const readLimit = (text: string | undefined): number => (text === undefined ? DEFAULT_LIMIT : Number(text));
