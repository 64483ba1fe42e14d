/** What survives `JSON.stringify` unchanged. Everything stored or sent is made of it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
