import type { IncomingHttpHeaders } from 'node:http';
import { isSameSecret } from './constant-time.ts';
import type { Sessions } from './sessions.ts';

/** How a request proved who sent it. `token` is a script with the bearer token, `session` a browser with the cookie. */
export type Caller = { readonly kind: 'anonymous' } | { readonly kind: 'session' } | { readonly kind: 'token' };

export type IdentifyCaller = (headers: IncomingHttpHeaders, nowMs: number) => Caller;

export function createIdentifyCaller(sessions: Sessions, apiToken: string | null): IdentifyCaller {
  return (headers, nowMs) => {
    const bearer = /^Bearer ([\x21-\x7e]{1,500})$/i.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined && apiToken !== null && isSameSecret(bearer, apiToken)) return { kind: 'token' };
    if (sessions.isValid(headers.cookie, nowMs)) return { kind: 'session' };
    return { kind: 'anonymous' };
  };
}
