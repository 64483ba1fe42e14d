import type { IncomingHttpHeaders } from 'node:http';
import { hashOf } from '../derived-ids.ts';
import { isSameSecret } from './constant-time.ts';
import type { Sessions } from './sessions.ts';

/** How a request proved who sent it. `token` is a script with the bearer token, `session` a browser with the cookie. */
export type Caller = { readonly kind: 'anonymous' } | SignedIn;
/** `subject` tells callers apart without being of use to anyone who reads it: a hash of what the caller proved itself with. */
export type SignedIn = { readonly kind: 'session' | 'token'; readonly subject: string };

export type IdentifyCaller = (headers: IncomingHttpHeaders, nowMs: number) => Caller;

export function createIdentifyCaller(sessions: Sessions, apiToken: string | null): IdentifyCaller {
  const tokenSubject = apiToken === null ? '' : hashOf(['token', apiToken]);
  return (headers, nowMs) => {
    const bearer = /^Bearer ([\x21-\x7e]{1,500})$/i.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined && apiToken !== null && isSameSecret(bearer, apiToken)) {
      return { kind: 'token', subject: tokenSubject };
    }
    const id = sessions.idOf(headers.cookie, nowMs);
    return id === null ? { kind: 'anonymous' } : { kind: 'session', subject: hashOf(['session', id]) };
  };
}
