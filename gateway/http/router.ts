import Router from '@koa/router';
import type Koa from 'koa';
import { fail } from '#contracts/errors.ts';
import type { IdentifyCaller } from '../access/callers.ts';
import { readJsonBody } from './json-body.ts';
import { authenticate } from './middleware/authenticate.ts';
import { resolveProject } from './middleware/resolve-project.ts';
import { ANSWERED, type Gateway, type GatewayContext, type GatewayState, type Route } from './route.ts';
import { parseInput } from './validate.ts';

export const API_PREFIX = '/api/v1';

/** Mounts every route as the same readable list: authenticate, project, handle. */
export function mountRoutes(routes: readonly Route[], gateway: Gateway, identify: IdentifyCaller): Koa.Middleware {
  const router = new Router<GatewayState>();
  for (const route of routes) {
    const steps = [
      authenticate(route.access, identify, () => gateway.clock.nowMs()),
      resolveProject(gateway.access.projects),
      handle(route, gateway),
    ];
    router.register(API_PREFIX + route.path, [route.method], steps);
    if (route.isAlsoAtRoot === true) router.register(route.path, [route.method], steps);
  }
  const serve = router.routes();
  const refuseMethod = router.allowedMethods();
  return async (ctx, next) => {
    await serve(ctx as never, () => refuseMethod(ctx as never, next));
  };
}

function handle(route: Route, gateway: Gateway): Koa.Middleware<GatewayState> {
  return async (ctx) => {
    const request = {
      params: route.params === undefined ? undefined : parseParams(route, ctx),
      query: route.query === undefined ? refuseQuery(ctx) : parseInput(route.query, { ...ctx.query }, 'query'),
      body: route.body === undefined ? undefined : parseInput(route.body, await readJsonBody(ctx.req), 'body'),
      project: ctx.state.project,
      caller: ctx.state.caller,
      ctx,
    };
    const value = await route.handle(gateway, request);
    if (value === ANSWERED) return;
    ctx.status = route.answer.status;
    if (route.answer.schema === undefined) {
      ctx.body = null;
      ctx.status = route.answer.status;
      return;
    }
    ctx.body = gateway.checkAnswers === true ? route.answer.schema.parse(value) : value;
  };
}

function parseParams(route: Route, ctx: GatewayContext & { params?: unknown }): unknown {
  const parsed = route.params?.safeParse(ctx.params);
  return parsed?.success === true ? parsed.data : fail('resource.not_found', 'nothing has this id');
}

function refuseQuery(ctx: GatewayContext): undefined {
  const unknown = Object.keys(ctx.query)[0];
  if (unknown !== undefined) fail('request.invalid', `the query parameter ${JSON.stringify(unknown)} is unknown`);
  return undefined;
}
