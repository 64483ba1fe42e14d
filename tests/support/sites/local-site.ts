import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import type { AddressInfo, Socket } from 'node:net';

export type Route = (request: IncomingMessage, response: ServerResponse) => void;

export type LocalSite = {
  readonly port: number;
  readonly hits: string[];
  readonly origin: (host?: string) => string;
  readonly close: () => Promise<void>;
};

/**
 * A real HTTP server on a free loopback port. Unknown paths are 404; every request is noted in `hits`.
 * `PORT` in a page stands for the port.
 */
export async function openSite(routes: Readonly<Record<string, Route | string>>): Promise<LocalSite> {
  const hits: string[] = [];
  const sockets = new Set<Socket>();
  let port = 0;
  const server: Server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`);
    const route = routes[(request.url ?? '').replace(/\?.*$/u, '')] ?? routes['*'];
    if (route === undefined)
      response.writeHead(404, { 'content-type': 'text/html' }).end('<title>404 Not Found</title><h1>Not Found</h1>');
    else if (typeof route === 'string')
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(route.replaceAll('PORT', String(port)));
    else route(request, response);
  });
  server.on('upgrade', (request, socket) => {
    hits.push(`UPGRADE ${request.url}`);
    socket.destroy();
  });
  server.on('connection', (socket) => {
    hits.push('CONNECTION');
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  return {
    port,
    hits,
    origin: (host = 'site.test') => `http://${host}:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Counts UDP packets: what a page sends beside the proxy. */
export async function openUdpCanary(): Promise<{ port: number; packets: () => number; close: () => void }> {
  const socket: UdpSocket = createSocket('udp4');
  let packets = 0;
  socket.on('message', () => (packets += 1));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { port: socket.address().port, packets: () => packets, close: () => socket.close() };
}
