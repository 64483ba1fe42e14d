/** Where a vector tries to get to: a listener under a name that is approved, or on this machine, which must hear nothing. */
export type Target = {
  readonly host: string;
  readonly port: number;
  /** `http://host:port` and so on. */
  readonly http: string;
  readonly https: string;
  readonly ws: string;
  /** Tells the two targets of one page apart in names that the page makes. */
  readonly key: string;
};

/**
 * One way in which a page makes a browser connect. `embed`: a piece of HTML, put twice into one page, once for each target.
 * `page`: a document of its own for each target, because it leaves or replaces itself.
 */
export type Vector =
  | { readonly id: string; readonly kind: 'embed'; readonly html: (to: Target) => string; readonly isAlone?: true }
  | { readonly id: string; readonly kind: 'page'; readonly answer: (to: Target) => PageAnswer }
  /** A spelling of an inner host: `host` is what the page writes, whose connection has to be refused by the proxy. */
  | { readonly id: string; readonly kind: 'address'; readonly url: (port: number) => string };

export type PageAnswer = { readonly status?: number; readonly headers?: Record<string, string>; readonly html: string };

export const embed = (id: string, html: (to: Target) => string): Vector => ({ id, kind: 'embed', html });
/** With others in one page it would disturb them, or be disturbed. */
export const alone = (id: string, html: (to: Target) => string): Vector => ({ id, kind: 'embed', html, isAlone: true });

export const run = (script: string): string =>
  `<script>(async()=>{try{${script}}catch(error){console.log(String(error))}})()</script>`;

/** HTML inside an attribute in double quotes. */
export const quoted = (html: string): string => html.replace(/&/gu, '&amp;').replace(/"/gu, '&quot;');
/** A text as a JavaScript string that may stand in a script element. */
export const text = (value: string): string => JSON.stringify(value).replace(/</gu, '\\u003c');

/** Redirect of the attacker's site with a code of its choice. */
export const redirect = (code: number, url: string): string => `/redirect/${code}?to=${encodeURIComponent(url)}`;
/** A document of the attacker's site of another type or with other headers, made for a target. */
export const made = (what: string, url: string): string => `/made/${what}?to=${encodeURIComponent(url)}`;
