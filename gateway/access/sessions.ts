// Sessions
//
// Who is signed in, as a signed cookie: nothing is stored, so a restart keeps everybody signed in.
// Owns:     the cookie's name, form, signature and age.
// Owns not: how one signs in (sign-in-tokens.ts), where requests may come from (origin-rules.ts).
//
//   SE1  The cookie is HttpOnly, SameSite=Strict and ends after 30 days.
//   SE2  A changed, foreign or old cookie is no session.
//   SE3  The name tells installations apart: cookies know no port, and two may run on one machine.

import { createHash, createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from './constant-time.ts';

const MAX_AGE_MS = 30 * 24 * 3_600_000;
/** A clock that was set back a little does not sign people out. */
const CLOCK_SLACK_MS = 5 * 60_000;
const MIN_SECRET_LENGTH = 32;

export type Sessions = {
  readonly cookieName: string;
  /** Value of a `Set-Cookie` header that begins a session. */
  begin(nowMs: number): string;
  /** Value of a `Set-Cookie` header that forgets the session on this browser. */
  end(): string;
  isValid(cookieHeader: string | undefined, nowMs: number): boolean;
  /** What tells this session from others of the same installation; `null` without a valid one. */
  idOf(cookieHeader: string | undefined, nowMs: number): string | null;
};

export function createSessions(secret: string, options: { secure?: boolean } = {}): Sessions {
  if (secret.length < MIN_SECRET_LENGTH) throw new RangeError('the session secret needs at least 32 characters');
  const cookieName = `yunsou_${createHash('sha256').update(`name:${secret}`).digest('hex').slice(0, 8)}`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${options.secure === true ? '; Secure' : ''}`;
  const sign = (payload: string): string => createHmac('sha256', secret).update(payload).digest('base64url');

  const isGenuine = (value: string, nowMs: number): boolean => {
    const [id, begunText, signature, ...rest] = value.split('.');
    if (id === undefined || begunText === undefined || signature === undefined || rest.length > 0) return false;
    if (!isSameSecret(signature, sign(`${id}.${begunText}`))) return false;
    const ageMs = nowMs - Number(begunText);
    return ageMs >= -CLOCK_SLACK_MS && ageMs < MAX_AGE_MS;
  };

  const genuineOf = (header: string | undefined, nowMs: number): string | undefined =>
    valuesOf(header, cookieName).find((value) => isGenuine(value, nowMs));

  return {
    cookieName,
    begin(nowMs) {
      const payload = `${randomBytes(16).toString('base64url')}.${nowMs}`;
      return `${cookieName}=${payload}.${sign(payload)}; Max-Age=${MAX_AGE_MS / 1000}; ${attributes}`;
    },
    end: () => `${cookieName}=; Max-Age=0; ${attributes}`,
    isValid: (header, nowMs) => genuineOf(header, nowMs) !== undefined,
    idOf: (header, nowMs) => genuineOf(header, nowMs)?.split('.')[0] ?? null,
  };
}

function valuesOf(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
