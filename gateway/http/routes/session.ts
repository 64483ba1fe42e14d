import type * as z from 'zod';
import { fail } from '#contracts/errors.ts';
import { SessionView, SignIn } from '#contracts/http/system.ts';
import { defineRoute, type Gateway, type Route } from '../route.ts';

const get = defineRoute({
  method: 'get',
  path: '/session',
  summary: 'Whether this browser is signed in',
  access: 'open',
  answer: { status: 200, schema: SessionView, description: 'Also without a session' },
  handle: async (gateway, { project, caller }) => present(gateway, project, caller.kind !== 'anonymous'),
});

const begin = defineRoute({
  method: 'post',
  path: '/session',
  summary: 'Exchange a one-time token for a session cookie',
  access: 'open',
  body: SignIn,
  answer: { status: 201, schema: SessionView, description: 'The cookie is set; the token works no more' },
  handle: async (gateway, { project, body, ctx }) => {
    if (!gateway.signInTokens.redeem(body.token)) {
      fail(
        'request.unauthenticated',
        'this token is unknown or was used already; restart the server to get a new link',
      );
    }
    ctx.set('Set-Cookie', gateway.sessions.begin(gateway.clock.nowMs()));
    return present(gateway, project, true);
  },
});

const end = defineRoute({
  method: 'delete',
  path: '/session',
  summary: 'Sign out on this browser',
  access: 'open',
  answer: { status: 204, description: 'The cookie is gone' },
  handle: async (gateway, { ctx, caller }) => {
    // What this browser was looking at ends with it.
    if (caller.kind === 'session') await gateway.viewer.revokeSubject(caller.subject);
    ctx.set('Set-Cookie', gateway.sessions.end());
  },
});

function present(gateway: Gateway, project: string, isSignedIn: boolean): z.infer<typeof SessionView> {
  return {
    signed_in: isSignedIn,
    project,
    version: gateway.version,
    engine: gateway.engine,
    language: gateway.language,
  };
}

export const sessionRoutes: readonly Route[] = [get, begin, end];
