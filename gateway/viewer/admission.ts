// Who may look on at a browser session
//
// Owns:     tickets and grants: how they are made, how long they live, whom they serve.
// Owns not: who is signed in (access/), what is shown (viewing.ts), where they are kept (ViewerAdmission).
//
//   VA1  A ticket is 256 random bits, lives a minute and is stored as its hash; it crosses in bodies, never in an address.
//   VA2  A grant serves the subject, project, session and window that its ticket was made for, for viewing alone.
//   VA3  A grant lives 15 minutes and is renewed by the subject that has it while it is alive.

import { createHash, randomBytes } from 'node:crypto';
import { fail } from '#contracts/errors.ts';
import type { ViewerGrant } from '#contracts/ports/viewer.ts';
import type { Caller } from '../access/callers.ts';
import type { GatewayDependencies } from '../dependencies.ts';

const TICKET_MS = 60_000;
const GRANT_MS = 15 * 60_000;

type Asking = { readonly project: string; readonly caller: Caller };

const hashOfTicket = (ticket: string): string => createHash('sha256').update(ticket).digest('base64url');

export const subjectOf = (caller: Caller): string =>
  caller.kind === 'anonymous' ? fail('request.unauthenticated', 'sign in first') : caller.subject;

export async function issueTicket(
  gateway: GatewayDependencies,
  { project, caller }: Asking,
  sessionId: string,
  clientId: string,
): Promise<{ readonly ticket: string; readonly expiresAtMs: number }> {
  const ticket = randomBytes(32).toString('base64url');
  const expiresAtMs = gateway.clock.nowMs() + TICKET_MS;
  const bound = { project, subject: subjectOf(caller), clientId, scope: 'view' as const, sessionId };
  await gateway.viewer.addTicket({ ...bound, hash: hashOfTicket(ticket), expiresAtMs });
  return { ticket, expiresAtMs };
}

/** Says the same of every ticket that does not work: which of them exist is nobody's business. */
export async function exchangeTicket(
  gateway: GatewayDependencies,
  { project, caller }: Asking,
  ticket: string,
  clientId: string,
): Promise<ViewerGrant> {
  const nowMs = gateway.clock.nowMs();
  const by = { project, subject: subjectOf(caller), clientId, scope: 'view' as const };
  const grant = { grantId: `vwg_${gateway.randomness.id()}`, endsAtMs: nowMs + GRANT_MS };
  const given = await gateway.viewer.exchange(hashOfTicket(ticket), by, grant, nowMs);
  return given ?? fail('request.forbidden', 'this ticket was used, has expired or is not for you; ask for a new one');
}

/** The living grant of this caller; somebody else's is as good as none. */
export async function requireGrant(
  gateway: GatewayDependencies,
  project: string,
  subject: string,
  grantId: string,
): Promise<ViewerGrant> {
  const grant = await gateway.viewer.grant(project, grantId, gateway.clock.nowMs());
  if (grant?.subject === subject) return grant;
  return fail('resource.not_found', 'there is no such grant, or it has ended');
}

export async function renewGrant(gateway: GatewayDependencies, grant: ViewerGrant): Promise<ViewerGrant> {
  const nowMs = gateway.clock.nowMs();
  const renewed = await gateway.viewer.renew(grant.project, grant.grantId, nowMs + GRANT_MS, nowMs);
  return renewed ?? fail('resource.not_found', 'the grant has ended');
}
