import type Koa from 'koa';
import { fail } from '#contracts/errors.ts';
import type { OriginRules } from '../../access/origin-rules.ts';

/** Keeps OR1 for every request, and OR2 for every request that names an origin and may change something. */
export function checkHost(rules: OriginRules): Koa.Middleware {
  return async (ctx, next) => {
    const host = ctx.req.headers.host;
    if (!rules.isAcceptedHost(host)) {
      fail(
        'request.forbidden',
        `the host ${JSON.stringify(host ?? '')} is not one of this server; see ALLOWED_ORIGINS`,
      );
    }
    const origin = ctx.req.headers.origin;
    const isReading = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isReading && origin !== undefined && !rules.isAcceptedOrigin(origin, host)) {
      fail('request.forbidden', `requests from the origin ${JSON.stringify(origin)} are refused`);
    }
    await next();
  };
}
