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
//   SB3  A cursor ahead of the truth, or one whose next event was trimmed, is answered by `resync`, never by silence.

import type { Socket } from 'socket.io';
import type { ClientToServer, ServerToClient } from '#contracts/sockets/protocol.ts';
import type { StreamEvent } from '#contracts/ports/event-streams.ts';
import type { GatewayDependencies } from '../dependencies.ts';
import { presentStreamData } from '../presenters/stream-event.ts';
import { readSnapshot } from './stream-snapshot.ts';

export type SocketData = { project: string; subject: string };
export type GatewaySocket = Socket<ClientToServer, ServerToClient, Record<string, never>, SocketData>;

const PAGE = 200;
const MAX_WAITING = 1_000;

export class Subscription {
  readonly #gateway: GatewayDependencies;
  readonly #socket: GatewaySocket;
  readonly #stream: string;
  #isStopped = false;
  #stopWatching: () => void = () => undefined;

  constructor(gateway: GatewayDependencies, socket: GatewaySocket, stream: string) {
    this.#gateway = gateway;
    this.#socket = socket;
    this.#stream = stream;
  }

  /** Begins after `after`; `truth` is the number of the stream's last event as the caller saw it. */
  start(after: number, truth: number): void {
    this.#guard(after > truth ? this.#resync() : this.#follow(after, truth));
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopWatching();
  }

  async #follow(cursor: number, truth: number): Promise<void> {
    const { streams } = this.#gateway;
    let at = cursor;
    while (!this.#isStopped) {
      const page = await streams.read(this.#socket.data.project, this.#stream, at, PAGE);
      if (this.#isStopped) return;
      const isTrimmed = page[0] === undefined ? at < truth : page[0].seq > at + 1;
      if (isTrimmed) return this.#resync();
      for (const event of page) this.#send(event);
      at = page.at(-1)?.seq ?? at;
      if (page.length < PAGE) return this.#watch(at);
      await untilFree(this.#socket);
    }
  }

  #watch(cursor: number): void {
    let isBehind = false;
    this.#stopWatching = this.#gateway.streams.watch(this.#socket.data.project, this.#stream, cursor, (event) => {
      if (this.#isStopped || isBehind) return;
      if (waitingOf(this.#socket) < MAX_WAITING) return this.#send(event);
      isBehind = true;
      // Not from inside the listener: the watch may still be delivering.
      queueMicrotask(() => this.#stopWatching());
      this.#guard(untilFree(this.#socket).then(() => this.#resync()));
    });
  }

  async #resync(): Promise<void> {
    const snapshot = await readSnapshot(this.#gateway, this.#socket.data.project, this.#stream);
    if (this.#isStopped || snapshot === null) return;
    this.#socket.emit('resync', { stream: this.#stream, snapshot: snapshot.state, seq: String(snapshot.seq) });
    await this.#follow(snapshot.seq, snapshot.seq);
  }

  #send(event: StreamEvent): void {
    const { seq, type } = event;
    this.#socket.emit('event', { stream: this.#stream, seq: String(seq), type, data: presentStreamData(event) });
  }

  #guard(work: Promise<void>): void {
    work.catch((err: unknown) => {
      this.#gateway.logger.warn('a stream could not be read; its reader is sent away and returns', {
        err,
        stream: this.#stream,
      });
      this.#socket.disconnect(true);
    });
  }
}

/** Messages that the reader's connection has not taken yet. */
export const waitingOf = (socket: GatewaySocket): number =>
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
