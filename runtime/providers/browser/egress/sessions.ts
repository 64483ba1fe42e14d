import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** What a browser context needs to reach the proxy. `bypass` takes back that Chromium goes to loopback past any proxy. */
export type ProxyCredentials = {
  readonly username: string;
  readonly password: string;
  readonly bypass: '<-loopback>';
};

type Session = { readonly credentials: ProxyCredentials; readonly password: Buffer; readonly sockets: Set<Duplex> };

/** Credentials of open sessions and the connections that came with them. */
export class EgressSessions {
  private readonly open = new Map<string, Session>();

  add(session: string): ProxyCredentials {
    const password = randomBytes(24).toString('hex');
    this.remove(session);
    const credentials: ProxyCredentials = { username: session, password, bypass: '<-loopback>' };
    this.open.set(session, { credentials, password: Buffer.from(password), sockets: new Set() });
    return credentials;
  }

  /** Ends the session and what it still has open. */
  remove(session: string): void {
    const known = this.open.get(session);
    this.open.delete(session);
    for (const socket of known?.sockets ?? []) socket.destroy();
  }

  /** The session that a request names and whose password it knows. */
  of(request: IncomingMessage): string | undefined {
    const encoded = /^Basic\s+([\w+/=-]{1,1000})$/iu.exec(request.headers['proxy-authorization'] ?? '')?.[1];
    if (encoded === undefined) return undefined;
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = text.lastIndexOf(':');
    const session = text.slice(0, Math.max(0, colon));
    const given = Buffer.from(text.slice(colon + 1));
    const expected = this.open.get(session)?.password;
    if (expected?.length !== given.length) return undefined;
    return timingSafeEqual(given, expected) ? session : undefined;
  }

  credentialsOf(session: string): ProxyCredentials | undefined {
    return this.open.get(session)?.credentials;
  }

  track(session: string, socket: Duplex): void {
    const sockets = this.open.get(session)?.sockets;
    if (sockets === undefined) socket.destroy();
    else if (!sockets.has(socket)) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
  }
}
