import type Koa from 'koa';
import type { Gateway } from '../route.ts';

/** `/sign-in?token=…`, the link the server prints: begins a session and leads to an address without the token. */
export function serveSignIn(gateway: Gateway): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/sign-in' || ctx.method !== 'GET') return next();
    const token = ctx.query['token'];
    // Without a token the client shows its own sign-in page.
    if (typeof token !== 'string') return next();
    const isGenuine = gateway.signInTokens.redeem(token);
    if (isGenuine) ctx.set('Set-Cookie', gateway.sessions.begin(gateway.clock.nowMs()));
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(isGenuine ? '/' : '/sign-in?failed=1');
    ctx.status = 303;
    ctx.body = null;
    ctx.status = 303;
  };
}
