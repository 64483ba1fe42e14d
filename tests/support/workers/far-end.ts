// The outside world of the workers: an HTTP server that notes every call that really arrived.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ArrivedCall = {
  readonly what: string;
  readonly effectId: string;
  readonly worker: string;
  readonly attempt: number;
};

export class FarEnd {
  readonly calls: ArrivedCall[] = [];
  readonly #server: Server;
  #isHolding = false;
  #held: (() => void)[] = [];

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async open(): Promise<FarEnd> {
    const farEnd = new FarEnd();
    await new Promise<void>((resolve) => farEnd.#server.listen(0, '127.0.0.1', resolve));
    return farEnd;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Calls arrive and are noted; their answers wait until `release`. */
  hold(): void {
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    for (const answer of this.#held.splice(0)) answer();
  }

  countOf(effectId: string): number {
    return this.calls.filter((call) => call.effectId === effectId).length;
  }

  async close(): Promise<void> {
    this.release();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    this.calls.push(JSON.parse(body) as ArrivedCall);
    if (this.#isHolding) await new Promise<void>((resolve) => this.#held.push(resolve));
    response.end('done');
  }
}
