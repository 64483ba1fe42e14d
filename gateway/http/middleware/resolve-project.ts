import type Koa from 'koa';
import { fail } from '#contracts/errors.ts';
import type { GatewayState } from '../route.ts';

export const DEFAULT_PROJECT = 'default';

/** Reads X-Project-ID. A project that does not exist answers like anything else that is not there. */
export function resolveProject(projects: readonly string[]): Koa.Middleware<GatewayState> {
  return async (ctx, next) => {
    const project = ctx.get('X-Project-ID') || DEFAULT_PROJECT;
    if (!projects.includes(project)) fail('resource.not_found', `there is no project ${JSON.stringify(project)}`);
    ctx.state.project = project;
    await next();
  };
}
