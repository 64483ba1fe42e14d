import { open, realpath, type FileHandle } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import type Koa from 'koa';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * Sends a file that really lies in `folder` (links that lead out of it are not followed); false when there is none.
 * `name` is a decoded relative path.
 */
export async function sendFile(ctx: Koa.Context, folder: string, name: string, cacheControl: string): Promise<boolean> {
  const type = MEDIA_TYPES[extname(name).toLowerCase()];
  if (type === undefined || /[\0\\]/.test(name)) return false;
  const path = await pathInside(folder, name);
  if (path === null) return false;
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return false;
  try {
    return await sendOpenFile(ctx, file, type, cacheControl);
  } finally {
    await file.close();
  }
}

async function sendOpenFile(ctx: Koa.Context, file: FileHandle, type: string, cacheControl: string): Promise<boolean> {
  const stat = await file.stat();
  if (!stat.isFile()) return false;
  ctx.status = 200;
  ctx.set('Content-Type', type);
  ctx.set('Cache-Control', cacheControl);
  ctx.set('ETag', `W/"${stat.size.toString(36)}-${Math.trunc(stat.mtimeMs).toString(36)}"`);
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = await file.readFile();
  return true;
}

async function pathInside(folder: string, name: string): Promise<string | null> {
  const root = await realpath(folder).catch(() => null);
  if (root === null) return null;
  const path = await realpath(resolve(root, `.${sep}${name}`)).catch(() => null);
  return path !== null && path.startsWith(root + sep) ? path : null;
}
