// Gateway
//
// HTTP, SSE and sockets in front of the actors: it translates, never decides.
// Owns:     the server, sessions and one-time tokens, the list of routes.
// Owns not: conversations, tasks, results (actors and their rows, reached through ports).
//
//   GW1  A request that is repeated with the same id and content has one effect and the same answer.
//   GW2  Whoever is not signed in sees no row and changes nothing.
//   GW3  `close` ends every stream and socket; readers come back with their cursors.

import { createServer, type Server } from 'node:http';
import Koa from 'koa';
import { createIdentifyCaller } from './access/callers.ts';
import { createOriginRules } from './access/origin-rules.ts';
import { createSessions } from './access/sessions.ts';
import { createSignInTokens } from './access/sign-in-tokens.ts';
import type { GatewayDependencies } from './dependencies.ts';
import { answerFailures } from './http/middleware/failure.ts';
import { checkHost } from './http/middleware/check-host.ts';
import { setSecurityHeaders } from './http/middleware/security-headers.ts';
import { serveClient } from './http/pages/client-pages.ts';
import { serveHelp } from './http/pages/help-pages.ts';
import { serveSignIn } from './http/pages/sign-in-page.ts';
import type { Gateway } from './http/route.ts';
import { allRoutes } from './http/route-list.ts';
import { mountRoutes } from './http/router.ts';
import { shareAnswer } from './http/shared-answer.ts';
import { attachInspectServer, type InspectServer } from './inspector/inspect-server.ts';
import { attachSocketServer, type SocketServer } from './sockets/socket-server.ts';
import { closeServer, listen, type Listening, type ListenOptions } from './server.ts';

const READY_MAX_AGE_MS = 2_000;
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;

export type GatewayServer = {
  readonly app: Koa;
  readonly server: Server;
  /** Serves sockets on the same port; call it once, before or after `listen`. */
  attachSockets(): SocketServer;
  listen(options: ListenOptions): Promise<Listening>;
  /** A path with a new one-time token, to put behind the printed address: `/sign-in?token=…`. */
  issueSignInPath(): string;
  close(): Promise<void>;
};

/** Closing a tab in the middle of an event stream is how event streams end. */
function isReaderGone(thrown: unknown): boolean {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}

export function createGateway(dependencies: GatewayDependencies): GatewayServer {
  const closing = new AbortController();
  const gateway = withOwnState(dependencies, closing.signal);
  let boundHost = '127.0.0.1';
  const identify = createIdentifyCaller(gateway.sessions, gateway.access.apiToken);
  const rules = createOriginRules(gateway.allowedOrigins, () => boundHost);

  const app = new Koa();
  app.on('error', (err: unknown) => {
    if (!isReaderGone(err)) gateway.logger.warn('an answer could not be sent whole', { err });
  });
  app.use(setSecurityHeaders());
  app.use(answerFailures(gateway.logger));
  app.use(checkHost(rules));
  app.use(mountRoutes(allRoutes(gateway.version), gateway, identify));
  app.use(serveSignIn(gateway));
  app.use(serveHelp(gateway.helpDir, gateway.language));
  app.use(serveClient(gateway.staticDir));

  const answer = app.callback();
  const server = createServer((request, response) => void answer(request, response));
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  let sockets: SocketServer | null = null;
  let inspectors: InspectServer | null = null;

  return {
    app,
    server,
    attachSockets() {
      inspectors ??= attachInspectServer(gateway, server, { identify, rules });
      return (sockets ??= attachSocketServer(gateway, server, { identify, rules }));
    },
    listen(options) {
      boundHost = options.host;
      return listen(server, options);
    },
    issueSignInPath: () => `/sign-in?token=${gateway.signInTokens.issue()}`,
    async close() {
      closing.abort();
      const closed = closeServer(server);
      inspectors?.close();
      await sockets?.close();
      await closed;
    },
  };
}

function withOwnState(dependencies: GatewayDependencies, closing: AbortSignal): Gateway {
  const { access, clock } = dependencies;
  return {
    ...dependencies,
    ready: shareAnswer(clock, READY_MAX_AGE_MS, () => dependencies.ready()),
    sessions: createSessions(access.sessionSecret, { secure: access.secureCookies === true }),
    signInTokens: createSignInTokens(),
    startedAtMs: clock.nowMs(),
    closing,
  };
}
