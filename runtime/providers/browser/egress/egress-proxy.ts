// EgressProxy
//
// The only way out of the browser: every page, hop, frame, picture, socket and download of every session comes here.
// Owns:     the listening socket, the credentials of sessions, connections in progress, verdicts, traffic and limits.
// Owns not: which sessions exist (browser), what an internal site answers (its handler).
//
//   EG1  A host is resolved once, judged, and exactly the judged address is dialled.
//   EG2  Requests without the credentials of an open session are refused and leave no trace but the refusal.
//   EG3  Each request and each CONNECT is judged anew, whatever came before on the same connection.
//   EG4  A refusal is recorded out of band and marked by a secret header; its body is never content.
//   EG5  Internal hosts are answered in the process; no name of theirs is ever resolved or dialled.
//   EG6  What a session sends and gets is counted for it; when it closes, its connections end.
//   EG7  Size, time and rate are limited for each site family; what goes beyond is refused like anything else.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RobotsNote, RobotsPolicy } from '#contracts/research/robots.ts';
import { siteOf } from '#contracts/research/web-page-address.ts';
import type { Way } from './fetch-through.ts';
import { FAMILY_LIMIT, FamilyLimits, type FamilyLimit, type Place } from './family-limits.ts';
import { forwardRequest } from './forward-request.ts';
import { parseHost } from './host-name.ts';
import { answerFromSite, type InternalSite } from './internal-site.ts';
import { judgeHost, type Judgement, type Resolve } from './judge.ts';
import { openTunnel } from './open-tunnel.ts';
import { ownAddresses } from './own-addresses.ts';
import { Robots } from './robots.ts';
import { EgressSessions, type ProxyCredentials } from './sessions.ts';
import { Traffic } from './traffic.ts';
import { Verdicts } from './verdicts.ts';

export type { ProxyCredentials } from './sessions.ts';

export type EgressOptions = {
  readonly resolve: Resolve;
  /** Exact `host:port` pairs that may be dialled although their address is not public. */
  readonly approvedDestinations: ReadonlySet<string>;
  /** Exact host names answered by a handler. */
  readonly approvedOrigins: ReadonlyMap<string, InternalSite>;
  readonly familyLimit?: FamilyLimit;
  readonly robotsPolicy?: RobotsPolicy;
  readonly nowMs?: () => number;
};

type Admission = {
  readonly dial: readonly [string, ...string[]];
  readonly place: Place;
  readonly count: (bytesIn: number, bytesOut: number) => boolean;
};

const MAX_HEADER_BYTES = 64 * 1024;
const CHALLENGE = 'Basic realm="egress"';

export class EgressProxy {
  readonly verdicts = new Verdicts();
  readonly traffic = new Traffic();
  /** Name of the header that marks a refusal; unknown to any site. */
  readonly refusalHeader = `x-refused-${randomBytes(12).toString('hex')}`;
  private readonly sessions = new EgressSessions();
  private readonly limits: FamilyLimits;
  private readonly robots: Robots;
  private readonly sockets = new Set<Duplex>();
  private readonly options: EgressOptions;
  private server: Server | undefined;
  private address: string | undefined;

  constructor(options: EgressOptions) {
    this.options = options;
    const nowMs = options.nowMs ?? (() => performance.now());
    this.limits = new FamilyLimits(options.familyLimit ?? FAMILY_LIMIT, nowMs);
    const isOurs = (host: string): boolean => options.approvedOrigins.has(host);
    this.robots = new Robots({ policy: options.robotsPolicy ?? 'ignore', nowMs, isOurs });
  }

  async start(): Promise<string> {
    const server = createServer(
      { maxHeaderSize: MAX_HEADER_BYTES },
      (request, response) => void this.serve(request, response),
    );
    server.on(
      'connect',
      (request: IncomingMessage, socket: Duplex, head: Buffer) =>
        void this.connect(request, socket, head).catch(() => socket.destroy()),
    );
    server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => socket.destroy());
    server.on('connection', (socket: Socket) => this.track(socket));
    server.on('clientError', (_error, socket: Duplex) => socket.destroy());
    server.headersTimeout = 15_000;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    server.unref();
    this.server = server;
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return this.address;
  }

  async stop(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    for (const socket of this.sockets) socket.destroy();
    if (server === undefined) return;
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  openSession(session: string): ProxyCredentials {
    this.verdicts.open(session);
    this.traffic.open(session);
    this.limits.openSession(session);
    return this.sessions.add(session);
  }

  closeSession(session: string): void {
    this.sessions.remove(session);
    this.limits.closeSession(session);
    this.verdicts.close(session);
    this.traffic.close(session);
  }

  /** Asks robots.txt in the name of the session; throws `page.blocked` when the policy forbids to open the page. */
  async requireRobots(session: string, url: URL, signal: AbortSignal): Promise<RobotsNote | null> {
    const way = this.wayOf(session);
    return way === undefined ? null : this.robots.require(url, way, signal);
  }

  /** For what this process asks in the name of a session. */
  wayOf(session: string): Way | undefined {
    const credentials = this.sessions.credentialsOf(session);
    if (credentials === undefined || this.address === undefined) return undefined;
    return { proxy: this.address, credentials, refusalHeader: this.refusalHeader };
  }

  private track(socket: Duplex): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }

  /** EG1, EG7: where to dial and a place for it, or why not. */
  private async admit(session: string, host: string, port: number): Promise<Admission | string> {
    const { resolve, approvedDestinations } = this.options;
    const judgement: Judgement = await judgeHost(host, port, {
      resolve,
      approved: approvedDestinations,
      own: ownAddresses,
    });
    if (!judgement.allowed) return judgement.reason;
    const family = familyOf(host);
    const place = await this.limits.enter(session, family);
    if (typeof place === 'string') return place;
    this.traffic.add(session, family, { requests: 1 });
    const count = (bytesIn: number, bytesOut: number): boolean => {
      this.traffic.add(session, family, { bytesIn, bytesOut });
      return place.take(bytesIn + bytesOut);
    };
    return { dial: judgement.dial, place, count };
  }

  private record(session: string, target: string, host: string, reason: string): void {
    this.verdicts.record(session, target, reason);
    this.traffic.add(session, familyOf(host), { refused: 1 });
  }

  private refuse(response: ServerResponse): void {
    response.writeHead(403, {
      [this.refusalHeader]: '1',
      'content-type': 'text/html; charset=utf-8',
      'content-length': '0',
      connection: 'close',
    });
    response.end();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = this.sessions.of(request);
    if (session === undefined) {
      response.writeHead(407, { 'proxy-authenticate': CHALLENGE, 'content-length': '0' }).end();
      return;
    }
    try {
      await this.serveFor(session, request, response);
    } catch {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    }
  }

  private async serveFor(session: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.sessions.track(session, request.socket);
    const target = request.url ?? '';
    const url = /^http:\/\//iu.test(target) ? URL.parse(target) : null;
    if (url === null || url.username !== '' || url.password !== '') {
      this.record(session, target, '', 'only http and https leave this machine');
      this.refuse(response);
      return;
    }
    const site = this.options.approvedOrigins.get(url.hostname);
    if (site !== undefined && (url.port === '' || url.port === '80')) {
      await answerFromSite(site, { method: request.method ?? 'GET', path: url.pathname + url.search }, response);
      return;
    }
    const port = url.port === '' ? 80 : Number(url.port);
    const admission = await this.admit(session, url.hostname, port);
    if (typeof admission === 'string') {
      this.record(session, target, url.hostname, admission);
      this.refuse(response);
      return;
    }
    const { dial, place, count } = admission;
    response.on('close', place.leave);
    if (response.destroyed || response.closed) place.leave();
    else forwardRequest({ request, response, url, dial, port, count });
  }

  private async connect(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const session = this.sessions.of(request);
    if (session === undefined) {
      socket.end(
        `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${CHALLENGE}\r\nContent-Length: 0\r\n\r\n`,
      );
      return;
    }
    this.sessions.track(session, socket);
    const target = request.url ?? '';
    const parts = /^(.+):(\d{1,5})$/u.exec(target);
    const host = parts?.[1] ?? '';
    const port = Number(parts?.[2] ?? Number.NaN);
    const isInternal = this.options.approvedOrigins.has(parseHost(host).name);
    const admission = isInternal ? `${host} is only reached by http` : await this.admit(session, host, port);
    if (typeof admission === 'string') {
      this.record(session, target, host, admission);
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    const { dial, place, count } = admission;
    socket.on('close', place.leave);
    if (socket.destroyed) place.leave();
    else openTunnel({ socket, head, dial, port, count, track: (upstream) => this.track(upstream) });
  }
}

function familyOf(host: string): string {
  return siteOf(`http://${host}/`).slice(0, 253);
}
