// EgressProxy
//
// The only way out of the browser: every page, hop, frame, picture, socket and download of every session comes here.
// Owns:     the listening socket, the credentials of sessions, connections in progress, verdicts.
// Owns not: which sessions exist (browser), what an internal site answers (its handler).
//
//   EG1  A host is resolved once, judged, and exactly the judged address is dialled.
//   EG2  Requests without the credentials of an open session are refused and leave no trace but the refusal.
//   EG3  Each request and each CONNECT is judged anew, whatever came before on the same connection.
//   EG4  A refusal is recorded out of band and marked by a secret header; its body is never content.
//   EG5  Internal hosts are answered in the process; no name of theirs is ever resolved or dialled.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { forwardRequest } from './forward-request.ts';
import { answerFromSite, type InternalSite } from './internal-site.ts';
import { judgeHost, type Judgement, type Resolve } from './judge.ts';
import { openTunnel } from './open-tunnel.ts';
import { Verdicts } from './verdicts.ts';

export type EgressOptions = {
  readonly resolve: Resolve;
  /** Exact `host:port` pairs that may be dialled although their address is not public. */
  readonly approvedDestinations: ReadonlySet<string>;
  /** Exact host names answered by a handler. */
  readonly approvedOrigins: ReadonlyMap<string, InternalSite>;
};

export type ProxyCredentials = { readonly username: string; readonly password: string };

export class EgressProxy {
  readonly verdicts = new Verdicts();
  /** Name of the header that marks a refusal; unknown to any site. */
  readonly refusalHeader = `x-refused-${randomBytes(12).toString('hex')}`;
  private readonly passwords = new Map<string, string>();
  private readonly sockets = new Set<Duplex>();
  private readonly options: EgressOptions;
  private server: Server | undefined;

  constructor(options: EgressOptions) {
    this.options = options;
  }

  async start(): Promise<string> {
    const server = createServer((request, response) => void this.serve(request, response));
    server.on(
      'connect',
      (request: IncomingMessage, socket: Duplex, head: Buffer) => void this.connect(request, socket, head),
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
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    for (const socket of this.sockets) socket.destroy();
    if (server === undefined) return;
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  openSession(session: string): ProxyCredentials {
    const password = randomBytes(24).toString('hex');
    this.passwords.set(session, password);
    this.verdicts.open(session);
    return { username: session, password };
  }

  closeSession(session: string): void {
    this.passwords.delete(session);
    this.verdicts.close(session);
  }

  private track(socket: Duplex): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }

  private sessionOf(request: IncomingMessage): string | undefined {
    const encoded = /^Basic\s+(\S+)$/iu.exec(request.headers['proxy-authorization'] ?? '')?.[1];
    if (encoded === undefined) return undefined;
    const [session = '', given = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    const expected = this.passwords.get(session);
    if (expected?.length !== given.length) return undefined;
    return timingSafeEqual(Buffer.from(given), Buffer.from(expected)) ? session : undefined;
  }

  private judge(host: string, port: number): Promise<Judgement> {
    const { resolve, approvedDestinations } = this.options;
    return judgeHost(host, port, { resolve, approved: approvedDestinations });
  }

  private refuse(session: string, target: string, reason: string, response: ServerResponse): void {
    this.verdicts.record(session, target, reason);
    response.writeHead(403, {
      [this.refusalHeader]: '1',
      'content-type': 'text/html; charset=utf-8',
      'content-length': '0',
      connection: 'close',
    });
    response.end();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = this.sessionOf(request);
    if (session === undefined) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="egress"', 'content-length': '0' }).end();
      return;
    }
    const target = request.url ?? '';
    try {
      if (!/^http:\/\//iu.test(target) || !URL.canParse(target)) {
        this.refuse(session, target, 'only http and https leave this machine', response);
        return;
      }
      const url = new URL(target);
      const site = this.options.approvedOrigins.get(url.hostname);
      if (site !== undefined && (url.port === '' || url.port === '80')) {
        await answerFromSite(site, { method: request.method ?? 'GET', path: url.pathname + url.search }, response);
        return;
      }
      const port = url.port === '' ? 80 : Number(url.port);
      const judgement = await this.judge(url.hostname, port);
      if (!judgement.allowed) this.refuse(session, target, judgement.reason, response);
      else forwardRequest({ request, response, url, dial: judgement.dial, port });
    } catch {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    }
  }

  private async connect(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const session = this.sessionOf(request);
    if (session === undefined) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="egress"\r\nContent-Length: 0\r\n\r\n',
      );
      return;
    }
    const target = request.url ?? '';
    const parts = /^(.+):(\d{1,5})$/u.exec(target);
    const host = parts?.[1] ?? '';
    const port = Number(parts?.[2] ?? Number.NaN);
    const isInternal = this.options.approvedOrigins.has(host.toLowerCase());
    const judgement: Judgement = isInternal
      ? { allowed: false, reason: `${host} is only reached by http` }
      : await this.judge(host, port);
    if (!judgement.allowed) {
      this.verdicts.record(session, target, judgement.reason);
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    openTunnel({ socket, head, dial: judgement.dial, port, track: (upstream) => this.track(upstream) });
  }
}
