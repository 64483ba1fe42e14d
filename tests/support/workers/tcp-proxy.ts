// A wire that can be cut.
//
// Owns:     the connections that run through it.
// Owns not: either end.
//
//   1  Cut connections end at once on both sides. Hung ones stay open and carry nothing; what was written meanwhile
//      arrives when they heal, as on a network that lost packets and sent them again.
//   2  Every verb says how many connections it touched, so that a test can assert that it happened.

import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

type Pair = { readonly client: Socket; readonly target: Socket };

/** `request`: what has the marker never arrives. `answer`: it arrives, and the answer is lost. Then the connection ends. */
export type Loss = 'request' | 'answer';
type Trap = { readonly marker: string; readonly loss: Loss; readonly sprung: () => void };

export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #isRefusing = false;
  #isHung = false;
  #trap: Trap | null = null;
  refused = 0;

  private constructor(target: NetConnectOpts) {
    this.#server = createServer((client) => this.#accept(client, target));
  }

  static async open(target: NetConnectOpts): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** Ends every connection and refuses new ones until `heal`. */
  cut(): number {
    this.#isRefusing = true;
    return this.cutOnce();
  }

  /** Ends every connection; new ones are welcome. */
  cutOnce(): number {
    const { size } = this.#pairs;
    for (const pair of this.#pairs) end(pair);
    return size;
  }

  /** A black hole: connections stay, nothing passes, until `heal`. */
  hang(): number {
    this.#isHung = true;
    for (const { client, target } of this.#pairs) {
      client.pause();
      target.pause();
    }
    return this.#pairs.size;
  }

  heal(): void {
    this.#isRefusing = false;
    this.#isHung = false;
    for (const { client, target } of this.#pairs) {
      client.resume();
      target.resume();
    }
  }

  /** Loses the next request that contains the marker, or its answer; resolves when that happened. */
  lose(marker: string, loss: Loss): Promise<void> {
    return new Promise((resolve) => {
      this.#trap = { marker, loss, sprung: resolve };
    });
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(client: Socket, to: NetConnectOpts): void {
    client.on('error', () => undefined);
    if (this.#isRefusing) {
      this.refused += 1;
      client.destroy();
      return;
    }
    const target = connect(to);
    const pair = { client, target };
    this.#pairs.add(pair);
    target.on('error', () => undefined);
    for (const socket of [client, target]) {
      socket.setNoDelay(true);
      socket.once('close', () => {
        this.#pairs.delete(pair);
        end(pair);
      });
    }
    let isAnswerLost = false;
    client.on('data', (chunk) => {
      const trap = this.#trap;
      const isMeant = trap !== null && chunk.includes(trap.marker);
      if (isMeant) this.#trap = null;
      if (isMeant && trap.loss === 'answer') {
        isAnswerLost = true;
        target.once('data', () => {
          end(pair);
          trap.sprung();
        });
      }
      if (isMeant && trap.loss === 'request') {
        end(pair);
        trap.sprung();
      } else target.write(chunk);
    });
    target.on('data', (chunk) => {
      if (!isAnswerLost) client.write(chunk);
    });
    if (!this.#isHung) return;
    client.pause();
    target.pause();
  }
}

function end({ client, target }: Pair): void {
  client.destroy();
  target.destroy();
}
