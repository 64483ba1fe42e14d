import { io, type Socket } from 'socket.io-client';
import { backoffMs } from './backoff.ts';
import type { ClientToServer, PROTOCOL_VERSION, ServerToClient } from '#contracts/sockets/protocol.ts';

/*
 * The live wire. At least once, by cursor.
 * Owns:     the connection, the list of wanted streams, asking again after a reconnect or a gap.
 * Owns not: the cursors (the replica's), the events' meaning.
 *   1. Every (re)connect subscribes each wanted stream after its cursor.
 *   2. A gap asks for the stream again after its cursor; it is never papered over.
 *   3. A refused sign-in ends reconnecting.
 */

const PROTOCOL: typeof PROTOCOL_VERSION = 1;

export type WireState = 'connecting' | 'online' | 'offline' | 'signed_out';

export type WireDeps = {
  cursorOf(stream: string): string;
  /** Returns false when the event left a gap. */
  onEvent(event: { stream: string; seq: string; type: string; data: unknown }): boolean;
  onResync(resync: { stream: string; snapshot: unknown; seq: string }): void;
  onState(state: WireState): void;
};

export type Wire = { watch(stream: string): () => void; connect(): void; close(): void };

/** The server's refusal is a problem document in `data`. */
const isSignInRefusal = (error: Error & { data?: unknown }): boolean =>
  (error.data as { code?: unknown } | undefined)?.code === 'request.unauthenticated';

/** A stream may be announced a moment before it exists. */
const MOST_RETRIES = 10;

export function createWire(deps: WireDeps): Wire {
  const wanted = new Map<string, number>();
  const asking = new Set<string>();
  const socket: Socket<ServerToClient, ClientToServer> = io({
    autoConnect: false,
    transports: ['websocket'],
    auth: { protocol: PROTOCOL },
    reconnectionDelay: 500,
    reconnectionDelayMax: 30_000,
    randomizationFactor: 0.5,
  });

  function ask(stream: string, attempt = 0): void {
    if (!socket.connected || asking.has(stream)) return;
    asking.add(stream);
    socket.emit('subscribe', { stream, after: deps.cursorOf(stream) }, ({ ok }) => {
      asking.delete(stream);
      if (ok || attempt >= MOST_RETRIES) return;
      setTimeout(() => wanted.has(stream) && ask(stream, attempt + 1), backoffMs(attempt, Math.random(), 250, 8000));
    });
  }

  socket.on('connect', () => {
    asking.clear();
    deps.onState('online');
    for (const stream of wanted.keys()) ask(stream);
  });
  socket.on('disconnect', () => deps.onState('offline'));
  socket.on('connect_error', (error) => {
    if (!isSignInRefusal(error)) return deps.onState('offline');
    socket.disconnect();
    deps.onState('signed_out');
  });
  socket.on('event', (event) => {
    if (!wanted.has(event.stream)) return;
    if (!deps.onEvent(event)) ask(event.stream);
  });
  socket.on('resync', (resync) => {
    if (wanted.has(resync.stream)) deps.onResync(resync);
  });

  return {
    connect: () => void socket.connect(),
    close: () => void socket.disconnect(),
    watch(stream) {
      const users = wanted.get(stream) ?? 0;
      wanted.set(stream, users + 1);
      if (users === 0) ask(stream);
      return () => {
        const left = (wanted.get(stream) ?? 1) - 1;
        if (left > 0) return void wanted.set(stream, left);
        wanted.delete(stream);
        if (socket.connected) socket.emit('unsubscribe', { stream });
      };
    },
  };
}
