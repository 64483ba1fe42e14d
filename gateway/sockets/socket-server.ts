import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import { failure, type Failure } from '#contracts/errors.ts';
import { PROTOCOL_VERSION, type ClientToServer, type ServerToClient } from '#contracts/sockets/protocol.ts';
import type { IdentifyCaller } from '../access/callers.ts';
import type { OriginRules } from '../access/origin-rules.ts';
import type { GatewayDependencies } from '../dependencies.ts';
import { statusOf } from '../http/middleware/failure.ts';
import { DEFAULT_PROJECT } from '../http/middleware/resolve-project.ts';
import { presentProblem } from '../http/problem.ts';
import { serveSocket } from './handlers.ts';
import type { GatewaySocket, SocketData } from './subscription.ts';

const MAX_MESSAGE_BYTES = 128 * 1024;

export type SocketServer = Server<ClientToServer, ServerToClient, Record<string, never>, SocketData>;

/**
 * WebSocket only: a long-poll would need sticky servers and adds a second way in. Host and Origin are judged before the
 * connection is made (OR1–OR3); who is not signed in learns so in `connect_error`, with a problem document in `data`.
 */
export function attachSocketServer(
  gateway: GatewayDependencies,
  httpServer: HttpServer,
  access: { readonly identify: IdentifyCaller; readonly rules: OriginRules },
): SocketServer {
  const io: SocketServer = new Server(httpServer, {
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    allowRequest: (request, decide) => {
      const { host, origin } = request.headers;
      const isFromScript = access.identify(request.headers, gateway.clock.nowMs()).kind === 'token';
      const isAcceptedOrigin = origin === undefined ? isFromScript : access.rules.isAcceptedOrigin(origin, host);
      const isAccepted = access.rules.isAcceptedHost(host) && isAcceptedOrigin;
      decide(isAccepted ? null : 'this host or origin is refused', isAccepted);
    },
  });
  io.use((socket, next) => {
    const refusal = judgeHandshake(gateway, access.identify, socket);
    if (refusal === null) return next();
    const problem = presentProblem(refusal, statusOf(refusal.code));
    next(Object.assign(new Error(refusal.message), { data: problem }));
  });
  io.on('connection', (socket) => serveSocket(gateway, socket));
  return io;
}

/** Null lets the socket in and notes its project and who it is. */
function judgeHandshake(gateway: GatewayDependencies, identify: IdentifyCaller, socket: GatewaySocket): Failure | null {
  const caller = identify(socket.handshake.headers, gateway.clock.nowMs());
  if (caller.kind === 'anonymous') {
    return failure('request.unauthenticated', 'sign in with the link that the server printed');
  }
  const { protocol, project = DEFAULT_PROJECT } = socket.handshake.auth as { protocol?: unknown; project?: unknown };
  if (protocol !== PROTOCOL_VERSION) {
    return failure(
      'request.invalid',
      `expected protocol ${PROTOCOL_VERSION}; reload the page to get the present client`,
    );
  }
  if (typeof project !== 'string' || !gateway.access.projects.includes(project)) {
    return failure('resource.not_found', 'there is no such project');
  }
  socket.data.project = project;
  socket.data.subject = caller.subject;
  return null;
}
