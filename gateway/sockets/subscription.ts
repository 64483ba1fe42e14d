// Subscription
//
// One reader of one stream on one socket.
// Owns:     the cursor, the replay, the bound of what waits for a slow reader.
// Owns not: the events (EventStreams), who may read (socket-server.ts).
//
//   SB1  Events arrive in order and without gaps from the cursor on; an event is sent at most once per subscription
//        unless the reader fell behind.
//   SB2  At most MAX_WAITING messages wait for one socket. A reader that is slower is not waited for: the stream is
//        left, and when the socket is free again the reader gets `resync` with the present state and goes on from there.
//   SB3  A cursor ahead of the truth is answered by `resync`, never by silence.

import type { Socket } from 'socket.io';
import type { ClientToServer, ServerToClient } from '#contracts/sockets/protocol.ts';
import type { StreamEvent } from '#contracts/ports/event-streams.ts';
import type { GatewayDependencies } from '../dependencies.ts';
import { presentStreamData } from '../presenters/stream-event.ts';
import { readSnapshot } from './stream-snapshot.ts';

export type GatewaySocket = Socket<ClientToServer, ServerToClient, Record<string, never>, { project: string }>;

const PAGE = 200;
const MAX_WAITING = 1_000;

export type Subscription = { readonly stream: string; stop(): void };

/** Begins after `after`; `truth` is the number of the stream's last event as the caller saw it. */
export function openSubscription(
  gateway: GatewayDependencies,
  socket: GatewaySocket,
  stream: string,
  start: { readonly after: number; readonly truth: number },
): Subscription {
  const { project } = socket.data;
  let isStopped = false;
  let stopWatching = (): void => undefined;

  const send = (event: StreamEvent): void => {
    socket.emit('event', { stream, seq: String(event.seq), type: event.type, data: presentStreamData(event) });
  };
  const follow = async (cursor: number): Promise<void> => {
    for (let at = cursor; !isStopped;) {
      const page = await gateway.streams.read(project, stream, at, PAGE);
      page.forEach(send);
      at = page.at(-1)?.seq ?? at;
      if (page.length < PAGE) return watch(at);
      await untilFree(socket);
    }
  };
  const watch = (cursor: number): void => {
    if (isStopped) return;
    let isBehind = false;
    stopWatching = gateway.streams.watch(project, stream, cursor, (event) => {
      if (isStopped || isBehind) return;
      if (waitingOf(socket) < MAX_WAITING) return send(event);
      isBehind = true;
      queueMicrotask(() => stopWatching());
      guard(untilFree(socket).then(resync));
    });
  };
  const resync = async (): Promise<void> => {
    if (isStopped) return;
    const snapshot = await readSnapshot(gateway, project, stream);
    if (isStopped || snapshot === null) return;
    socket.emit('resync', { stream, snapshot: snapshot.state, seq: String(snapshot.seq) });
    await follow(snapshot.seq);
  };
  const guard = (work: Promise<void>): void => {
    work.catch((thrown: unknown) => {
      gateway.logger.warn('a stream could not be read; the socket is closed, the reader returns', {
        err: thrown,
        stream,
      });
      socket.disconnect(true);
    });
  };

  guard(start.after > start.truth ? resync() : follow(start.after));
  return {
    stream,
    stop() {
      isStopped = true;
      stopWatching();
    },
  };
}

/** Messages that the reader's connection has not taken yet. */
const waitingOf = (socket: GatewaySocket): number =>
  (socket.conn as unknown as { writeBuffer: readonly unknown[] }).writeBuffer.length;

async function untilFree(socket: GatewaySocket): Promise<void> {
  while (waitingOf(socket) > 0 && socket.connected) await once(socket);
}

function once(socket: GatewaySocket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.conn.off('drain', done);
      socket.conn.off('close', done);
      resolve();
    };
    socket.conn.on('drain', done);
    socket.conn.on('close', done);
  });
}
