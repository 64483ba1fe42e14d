import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Listener = { readonly port: number; readonly hits: () => number; readonly close: () => void };

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
  vtt: 'text/vtt',
  png: 'image/png',
};

/**
 * Counts everything that arrives at one port, TCP connections and UDP packets. It answers as permissively as it can, so that a
 * page is not stopped by the answer instead of by what is tested.
 */
export async function openListener(address: string): Promise<Listener> {
  let hits = 0;
  const server = createServer((request, response) => {
    const extension = /\.(\w+)(?:\?|$)/u.exec(request.url ?? '')?.[1] ?? '';
    response.writeHead(200, {
      'content-type': TYPES[extension] ?? 'text/html',
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-allow-methods': '*',
      'timing-allow-origin': '*',
      connection: 'close',
      ...(request.url === '/download' ? { 'content-disposition': 'attachment' } : {}),
    });
    response.end(TYPES[extension] === undefined ? 'reached' : '');
  });
  server.on('connection', () => (hits += 1));
  server.on('upgrade', (_request, socket) => socket.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const udp = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  udp.on('message', () => (hits += 1));
  udp.on('error', () => udp.close());
  await new Promise<void>((resolve) => udp.bind(port, address, resolve));
  return {
    port,
    hits: () => hits,
    close: () => {
      server.closeAllConnections();
      server.close();
      udp.close();
    },
  };
}
