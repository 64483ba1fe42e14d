import type Koa from 'koa';
import { fail } from '#contracts/errors.ts';
import type { IdentifyCaller } from '../../access/callers.ts';
import type { GatewayState, Route } from '../route.ts';

/** Knows the caller; refuses strangers where the route is not open, and cookie writes that name no origin (OR3). */
export function authenticate(
  access: Route['access'],
  identify: IdentifyCaller,
  nowMs: () => number,
): Koa.Middleware<GatewayState> {
  return async (ctx, next) => {
    const caller = identify(ctx.req.headers, nowMs());
    if (access === 'signed_in' && caller.kind === 'anonymous') {
      fail('request.unauthenticated', 'sign in with the link that the server printed, or send the bearer token');
    }
    const isReading = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (caller.kind === 'session' && !isReading && ctx.req.headers.origin === undefined) {
      fail('request.forbidden', 'a browser request that changes something must name its origin');
    }
    ctx.state.caller = caller;
    await next();
  };
}
