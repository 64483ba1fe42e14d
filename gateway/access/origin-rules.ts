// Origin rules
//
// Keeps foreign pages and re-bound host names away from a server that trusts its own machine.
//
//   OR1  A Host is accepted when it is loopback, a literal IP address the server was told to listen on, or the host of an
//        allowed origin. Any other name may be somebody's DNS entry that points here (DNS rebinding).
//   OR2  An Origin is accepted when it is the very origin the request was sent to, or an allowed one.
//   OR3  A cookie alone never writes: such a request must carry an accepted Origin. There is no CORS.

import { isIP } from 'node:net';

export type OriginRules = {
  isAcceptedHost(host: string | undefined): boolean;
  isAcceptedOrigin(origin: string, host: string | undefined): boolean;
};

/** `allowedOrigins` are full origins such as `https://research.example.org`; `boundHost` is what the server listens on. */
export function createOriginRules(allowedOrigins: readonly string[], boundHost: () => string): OriginRules {
  const origins = new Set(allowedOrigins.map((origin) => new URL(origin).origin));
  const hosts = new Set([...origins].map((origin) => new URL(origin).host));

  const isAcceptedHost = (host: string | undefined): boolean => {
    if (host === undefined) return false;
    if (hosts.has(host.toLowerCase())) return true;
    const name = hostNameOf(host);
    if (name === null) return false;
    return isLoopback(name) || (!isLoopback(boundHost()) && isIP(name) !== 0);
  };

  return {
    isAcceptedHost,
    isAcceptedOrigin(origin, host) {
      if (origins.has(origin)) return true;
      return host !== undefined && isAcceptedHost(host) && origin === `http://${host.toLowerCase()}`;
    },
  };
}

/** Name or address without port and brackets; null for anything that is not a plain `host[:port]`. */
function hostNameOf(host: string): string | null {
  const bracketed = /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i.exec(host);
  if (bracketed?.[1] !== undefined) return bracketed[1].toLowerCase();
  const plain = /^([a-z0-9.-]+)(?::\d{1,5})?$/i.exec(host);
  return plain?.[1]?.toLowerCase() ?? null;
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
