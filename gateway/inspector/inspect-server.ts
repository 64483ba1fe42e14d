// The Stately inspection protocol on a WebSocket at `/inspect`
//
// Query: `actor=KIND/ID` (several times), `project=NAME`. Without an actor: all of the project.
// Owns:     the sockets of inspectors, who may open one.
// Owns not: what is told (stately-feed.ts).
//
//   SI5  The same callers, hosts and origins as everywhere (OR1, OR2); a refusal is an HTTP answer before the upgrade.
//   SI6  Inspectors only listen: what they send is not read. A slow one is waited for by its own tails alone.

import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { ActorAddress } from '#contracts/envelope.ts';
import { fail, PlatformError } from '#contracts/errors.ts';
import type { IdentifyCaller } from '../access/callers.ts';
import type { OriginRules } from '../access/origin-rules.ts';
import type { GatewayDependencies } from '../dependencies.ts';
import { DEFECT, statusOf } from '../http/middleware/failure.ts';
import { DEFAULT_PROJECT } from '../http/middleware/resolve-project.ts';
import { presentProblem } from '../http/problem.ts';
import { MAX_ACTORS, StatelyFeed } from './stately-feed.ts';

const PATH = '/inspect';
const MAX_WAITING_BYTES = 1024 * 1024;
const MAX_INSPECTORS = 16;
const GOING_AWAY = 1001;
const TRY_AGAIN = 1013;

type Order = { readonly project: string; readonly actors: readonly string[] };
type Access = { readonly identify: IdentifyCaller; readonly rules: OriginRules };
export type InspectServer = { close(): void };

export function attachInspectServer(gateway: GatewayDependencies, server: Server, access: Access): InspectServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = new URL(request.url ?? '/', 'http://host');
    if (url.pathname !== PATH) return;
    const order = judge(gateway, access, request, url.searchParams, sockets.clients.size);
    if (order instanceof PlatformError) return refuse(socket, order);
    sockets.handleUpgrade(request, socket, head, (inspector) => serve(gateway, inspector, order));
  });
  return {
    close() {
      for (const inspector of sockets.clients) inspector.close(GOING_AWAY);
      for (const inspector of sockets.clients) inspector.terminate();
      sockets.close();
    },
  };
}

function serve(gateway: GatewayDependencies, inspector: WebSocket, { project, actors }: Order): void {
  const { inspection, clock, logger } = gateway;
  const leave = (err: unknown): void => {
    logger.warn('an inspector could not be served; it is sent away', { err });
    inspector.close(TRY_AGAIN);
  };
  const sink = {
    isFree: () => inspector.bufferedAmount < MAX_WAITING_BYTES,
    send: (event: object) => inspector.send(JSON.stringify(event)),
    fail: leave,
  };
  const feed = new StatelyFeed({ inspection, clock, project, mustBeWhole: true }, sink, logger);
  inspector.on('error', (err) => logger.warn('an inspector broke off', { err }));
  inspector.on('close', () => feed.stop());
  feed.start(actors).catch(leave);
}

function judge(
  gateway: GatewayDependencies,
  { identify, rules }: Access,
  request: IncomingMessage,
  query: URLSearchParams,
  open: number,
): Order | PlatformError {
  try {
    const { host, origin } = request.headers;
    const caller = identify(request.headers, gateway.clock.nowMs()).kind;
    const isAcceptedOrigin = origin === undefined ? caller === 'token' : rules.isAcceptedOrigin(origin, host);
    if (caller === 'anonymous') fail('request.unauthenticated', 'sign in, or send the bearer token');
    if (!rules.isAcceptedHost(host) || !isAcceptedOrigin) fail('request.forbidden', 'this host or origin is refused');
    const project = query.get('project') ?? DEFAULT_PROJECT;
    if (!gateway.access.projects.includes(project)) fail('resource.not_found', 'there is no such project');
    const actors = query.getAll('actor');
    if (actors.length > MAX_ACTORS) fail('request.invalid', `at most ${MAX_ACTORS} actors are shown`);
    if (!actors.every((actor) => ActorAddress.safeParse(actor).success)) fail('request.invalid', 'an actor is kind/id');
    if (open >= MAX_INSPECTORS) fail('request.rate_limited', `at most ${MAX_INSPECTORS} inspectors look at once`);
    return { project, actors };
  } catch (thrown) {
    if (thrown instanceof PlatformError) return thrown;
    gateway.logger.error('an inspector could not be judged', { err: thrown });
    return new PlatformError(DEFECT);
  }
}

function refuse(socket: Duplex, { failure }: PlatformError): void {
  const status = statusOf(failure.code);
  const body = JSON.stringify(presentProblem(failure, status));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.on('error', () => undefined);
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
