import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { MAX_RESPONSE_BYTES } from './forward-request.ts';
import { pinnedDial } from './pinned-dial.ts';

const DIAL_TIMEOUT_MS = 15_000;
const IDLE_TIMEOUT_MS = 60_000;
const MAX_TUNNEL_MS = 900_000;
/** A tunnel carries many responses, so it may carry several times what one may. */
const MAX_BYTES_IN = MAX_RESPONSE_BYTES * 4;
const MAX_BYTES_OUT = 16 * 1024 * 1024;

export type Tunnel = {
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly dial: readonly [string, ...string[]];
  readonly port: number;
  readonly track: (upstream: Socket) => void;
  /** Counts bytes of both directions; false ends the tunnel. */
  readonly count: (bytesIn: number, bytesOut: number) => boolean;
};

/** Joins a CONNECT to exactly the judged addresses, within limits of time and size. */
export function openTunnel({ socket, head, dial, port, track, count }: Tunnel): void {
  const upstream = connect({ ...pinnedDial(dial), port });
  track(upstream);
  const sums = { in: 0, out: head.length };
  let isOpen = false;
  const close = (): void => {
    upstream.destroy();
    socket.destroy();
  };
  const whole = setTimeout(close, MAX_TUNNEL_MS);
  whole.unref();
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
    sums.in += chunk.length;
    if (!count(chunk.length, 0) || sums.in > MAX_BYTES_IN) close();
  });
  socket.on('data', (chunk: Buffer) => {
    sums.out += chunk.length;
    if (!count(0, chunk.length) || sums.out > MAX_BYTES_OUT) close();
  });
  // Listening to data makes the socket flow; before the other side is there nothing may be lost.
  socket.pause();
  upstream.on('error', () => {
    if (!isOpen && !socket.destroyed) socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
    else socket.destroy();
  });
  upstream.on('close', () => {
    clearTimeout(whole);
    socket.destroy();
  });
  socket.on('close', () => upstream.destroy());
}
