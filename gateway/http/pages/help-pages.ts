import type Koa from 'koa';
import { fail } from '#contracts/errors.ts';
import type { Language } from '#contracts/ids.ts';
import { sendFile } from './file-sender.ts';

const HELP_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const FIRST_PAGE = 'index';

/** Serves `/help/<language>/<page>` (with or without `.html`) and the pages' style sheet. Open: help explains how to sign in. */
export function serveHelp(helpDir: string, language: Language): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (!/^\/help(\/|$)/.test(ctx.path)) return next();
    const page = /^\/help(?:\/(en|zh-CN)(?:\/([a-z0-9-]+)(?:\.html)?)?)?\/?$/.exec(ctx.path);
    if (page !== null && page[2] === undefined) {
      ctx.status = 302;
      ctx.redirect(`/help/${page[1] ?? language}/${FIRST_PAGE}.html`);
      return;
    }
    const name = page === null ? styleSheetName(ctx.path) : `${page[1]}/${page[2]}.html`;
    if (name === null || !(await sendFile(ctx, helpDir, name, 'no-cache'))) {
      fail('resource.not_found', 'there is no such help page');
    }
    ctx.set('Content-Security-Policy', HELP_POLICY);
    ctx.set('X-Frame-Options', 'SAMEORIGIN');
  };
}

const styleSheetName = (path: string): string | null => /^\/help\/([a-z0-9-]+\.css)$/.exec(path)?.[1] ?? null;
