import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type Koa from 'koa';
import { fail } from '#contracts/errors.ts';
import { sendFile } from './file-sender.ts';

/** Names with a content hash never change; everything else is asked for again each time. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';
/** Policies the client may create: its own and the sanitiser's. */
const TRUSTED_TYPES = 'dompurify yunsou';

/** Serves the built client: files as they are, every other page address as the one page that draws them all. */
export function serveClient(staticDir: string): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path.startsWith('/api/')) return next();
    const name = decodePath(ctx.path);
    const isAsset = name.startsWith('assets/');
    if (name !== '' && name !== 'index.html') {
      if (await sendFile(ctx, staticDir, name, isAsset ? FOR_EVER : ASK_AGAIN)) return;
      if (isAsset || /\.[A-Za-z0-9]+$/.test(name)) return next();
    }
    await sendApp(ctx, staticDir);
  };
}

async function sendApp(ctx: Koa.Context, staticDir: string): Promise<void> {
  const page = await readFile(join(staticDir, 'index.html'), 'utf8').catch((cause: unknown) =>
    fail('config.invalid', 'the client is not built', { cause }),
  );
  ctx.status = 200;
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.set('Cache-Control', ASK_AGAIN);
  ctx.set('Content-Security-Policy', appPolicy(page));
  ctx.body = page;
}

/** Scripts of this server only, and the inline ones that were built into the page, by their hash. */
export function appPolicy(page: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inlineScriptHashes(page)].join(' '),
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${TRUSTED_TYPES}`,
  ].join('; ');
}

function inlineScriptHashes(page: string): string[] {
  const scripts = page.matchAll(/<script(?![^>]*\ssrc\s*=)[^>]*>([\s\S]*?)<\/script>/gi);
  return [...scripts].map(
    ([, code]) =>
      `'sha256-${createHash('sha256')
        .update(code ?? '')
        .digest('base64')}'`,
  );
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path).replace(/^\/+/, '');
  } catch {
    return fail('request.invalid', 'the address is not valid');
  }
}
