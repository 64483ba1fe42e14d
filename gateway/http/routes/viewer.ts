import * as z from 'zod';
import { fail } from '#contracts/errors.ts';
import {
  BrowserSessionList,
  BrowserSessionQuery,
  CreateViewerTicket,
  ExchangeViewerTicket,
  FrameList,
  ViewerGrantId,
  ViewerGrantView,
  ViewerSessionId,
  ViewerTicketView,
} from '#contracts/http/viewer.ts';
import type { ViewerSession } from '#contracts/ports/viewer.ts';
import { presentFrame, presentGrant, presentSession, timeOf } from '../../presenters/viewer.ts';
import { exchangeTicket, issueTicket, renewGrant, requireGrant, subjectOf } from '../../viewer/admission.ts';
import { defineRoute, type Gateway, type Route } from '../route.ts';

const MANY = 100;
const BySession = z.object({ session_id: ViewerSessionId });
const ByGrant = z.object({ grant_id: ViewerGrantId });

const sessions = defineRoute({
  method: 'get',
  path: '/browser-sessions',
  summary: 'Browser sessions of a task, newest first',
  access: 'signed_in',
  query: BrowserSessionQuery,
  answer: { status: 200, schema: BrowserSessionList, description: 'Open ones and ended ones of the last days' },
  handle: async (gateway, { project, query }) => {
    const found = await gateway.viewer.sessionsOfTask(project, query.task_id, MANY);
    return { sessions: found.map(presentSession) };
  },
});

const frames = defineRoute({
  method: 'get',
  path: '/browser-sessions/:session_id/frames',
  summary: 'When pictures of a session were taken, and of what; newest first',
  access: 'signed_in',
  params: BySession,
  answer: { status: 200, schema: FrameList, description: 'Without the pictures, which the socket brings' },
  handle: async (gateway, { project, params }) => {
    const session = await requireSession(gateway, project, params.session_id);
    const kept = await gateway.viewer.frames(session, MANY);
    return { session: presentSession(session), frames: kept.map(presentFrame) };
  },
});

const ticket = defineRoute({
  method: 'post',
  path: '/browser-sessions/:session_id/viewer-tickets',
  summary: 'A ticket to look at a session, for one window, to be exchanged once within a minute',
  access: 'signed_in',
  params: BySession,
  body: CreateViewerTicket,
  answer: { status: 201, schema: ViewerTicketView, description: 'Nothing is opened or loaded by it' },
  handle: async (gateway, { project, caller, params, body }) => {
    const session = await requireSession(gateway, project, params.session_id);
    const issued = await issueTicket(gateway, { project, caller }, session.sessionId, body.client_id);
    return { ticket: issued.ticket, scope: 'view', expires_time: timeOf(issued.expiresAtMs) };
  },
});

const exchange = defineRoute({
  method: 'post',
  path: '/viewer/exchange',
  summary: 'Exchange a ticket for a grant to look, which the socket message `view` takes',
  access: 'signed_in',
  body: ExchangeViewerTicket,
  answer: { status: 201, schema: ViewerGrantView, description: 'The ticket works no more' },
  handle: async (gateway, { project, caller, body }) =>
    presentGrant(await exchangeTicket(gateway, { project, caller }, body.ticket, body.client_id)),
});

const renew = defineRoute({
  method: 'post',
  path: '/viewer/grants/:grant_id/renew',
  summary: 'Go on looking',
  access: 'signed_in',
  params: ByGrant,
  answer: { status: 200, schema: ViewerGrantView, description: 'Another 15 minutes' },
  handle: async (gateway, { project, caller, params }) => {
    const grant = await requireGrant(gateway, project, subjectOf(caller), params.grant_id);
    return presentGrant(await renewGrant(gateway, grant));
  },
});

const revoke = defineRoute({
  method: 'delete',
  path: '/viewer/grants/:grant_id',
  summary: 'End a grant; whoever looks by it is cut',
  access: 'signed_in',
  params: ByGrant,
  answer: { status: 204, description: 'Ended; the browser session is not touched' },
  handle: async (gateway, { project, caller, params }) => {
    const grant = await requireGrant(gateway, project, subjectOf(caller), params.grant_id);
    await gateway.viewer.revoke(project, grant.grantId);
  },
});

async function requireSession(gateway: Gateway, project: string, sessionId: string): Promise<ViewerSession> {
  const session = await gateway.viewer.session({ project, sessionId });
  return session ?? fail('resource.not_found', 'there is no such browser session');
}

export const viewerRoutes: readonly Route[] = [sessions, frames, ticket, exchange, renew, revoke];
