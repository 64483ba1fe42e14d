import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { MAX_RESPONSE_BYTES } from './forward-request.ts';

const DIAL_TIMEOUT_MS = 15_000;
const IDLE_TIMEOUT_MS = 60_000;
/** A tunnel carries many responses, so it may carry several times what one may. */
const MAX_TUNNEL_BYTES = MAX_RESPONSE_BYTES * 4;

type Tunnel = {
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly dial: string;
  readonly port: number;
  readonly track: (upstream: Socket) => void;
};

/** Joins a CONNECT to exactly the judged address, within limits of time and size. */
export function openTunnel({ socket, head, dial, port, track }: Tunnel): void {
  const upstream = connect({ host: dial, port });
  track(upstream);
  let isOpen = false;
  let bytes = 0;
  const close = (): void => {
    upstream.destroy();
    socket.destroy();
  };
  upstream.setTimeout(DIAL_TIMEOUT_MS, close);
  upstream.on('connect', () => {
    isOpen = true;
    upstream.setTimeout(IDLE_TIMEOUT_MS, close);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) upstream.write(head);
    upstream.pipe(socket);
    socket.pipe(upstream);
  });
  upstream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_TUNNEL_BYTES) close();
  });
  upstream.on('error', () => {
    if (!isOpen && !socket.destroyed) socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
    else socket.destroy();
  });
  upstream.on('close', () => socket.destroy());
  socket.on('close', () => upstream.destroy());
}
