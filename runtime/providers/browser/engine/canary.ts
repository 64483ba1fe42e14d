import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export type Canary = { readonly port: number; readonly hits: () => number; readonly close: () => void };

/** Listens on this machine for what must never arrive: connections, and packets at the same port. */
export async function openCanary(): Promise<Canary> {
  let hits = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    hits += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  const udp = createSocket('udp4');
  udp.on('message', () => (hits += 1));
  const close = (): void => {
    server.close();
    udp.close();
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve, reject) => {
    udp.once('error', reject);
    udp.bind(port, '127.0.0.1', resolve);
  });
  udp.unref();
  return { port, hits: () => hits, close };
}
