import type { IncomingMessage, ServerResponse } from 'node:http';
import { openSite, type LocalSite } from '#tests/support/sites/local-site.ts';
import { made, type PageAnswer } from './vector.ts';

const MADE: Readonly<Record<string, (url: string) => PageAnswer>> = {
  leaf: (url) => ({ html: `<img src="${url}">` }),
  svg: (url) => ({
    html: `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${url}" width="9" height="9"/></svg>`,
    headers: { 'content-type': 'image/svg+xml' },
  }),
  nested: (url) => ({ html: `<iframe src="${made('innermost', url)}"></iframe>` }),
  innermost: (url) => ({ html: `<iframe src="${url}"></iframe>` }),
  frameset: (url) => ({ html: `<frameset cols="*"><frame src="${url}"></frameset>` }),
  refresh: (url) => ({ html: `<meta http-equiv=refresh content="0;url=${url}">` }),
  xslt: (url) => ({
    html: `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${made('xsl', url)}"?><a/>`,
    headers: { 'content-type': 'text/xml' },
  }),
  xsl: (url) => ({
    html: `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html><body><img src="${url}"/></body></html></xsl:template></xsl:stylesheet>`,
    headers: { 'content-type': 'text/xsl' },
  }),
  xhtml: (url) => ({
    html: `<html xmlns="http://www.w3.org/1999/xhtml"><body><img src="${url}"/></body></html>`,
    headers: { 'content-type': 'application/xhtml+xml' },
  }),
  csp: (url) => ({
    html: '<img src="/nothing.png">',
    headers: { 'content-security-policy-report-only': `img-src 'none'; report-uri ${url}` },
  }),
  link: (url) => ({ html: 'x', headers: { link: `<${url}>; rel=preload; as=script` } }),
  worker: (url) => ({
    html: `addEventListener('install',(e)=>e.waitUntil(fetch(${JSON.stringify(url)},{mode:'no-cors'})))`,
    headers: { 'content-type': 'text/javascript', 'service-worker-allowed': '/' },
  }),
};

function send(response: ServerResponse, { status = 200, headers, html }: PageAnswer): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', connection: 'close', ...headers }).end(html);
}

/** A site that may be opened and whose pages try everything. `pages` are made by the matrix, path by path. */
export function openAttackerSite(pages: ReadonlyMap<string, () => PageAnswer>): Promise<LocalSite> {
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://site.test');
    const to = url.searchParams.get('to') ?? '';
    const [, kind = '', what = ''] = url.pathname.split('/');
    const make = kind === 'made' ? MADE[what] : undefined;
    const page = pages.get(url.pathname);
    if (kind === 'redirect') send(response, { status: Number(what), headers: { location: to }, html: '' });
    else if (make !== undefined) send(response, make(to));
    else if (page !== undefined) send(response, page());
    else send(response, { status: 404, html: '' });
  };
  return openSite({ '*': serve });
}
