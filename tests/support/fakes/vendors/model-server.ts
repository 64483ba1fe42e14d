import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type SeenRequest = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: SeenBody };
export type SeenBody = { readonly [key: string]: unknown };

/** One answer of the far end. `frames` make it an event stream; a promise among them holds the rest back. */
export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly html?: string;
  readonly frames?: readonly (string | Promise<unknown>)[];
  /** `end` closes properly, `reset` tears the connection, `hold` leaves it open until the other side goes. */
  readonly end?: 'end' | 'reset' | 'hold';
};

/** A far end that answers over HTTP as it is told and remembers what it was asked. */
export class ModelServer {
  readonly seen: SeenRequest[] = [];
  /** How the exchanges ended, as seen from here. */
  readonly ended: ('whole' | 'reset' | 'left')[] = [];
  readonly #server;
  #answer: (request: SeenRequest, at: number) => Reply;

  constructor(answer: (request: SeenRequest, at: number) => Reply) {
    this.#answer = answer;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(answer: Reply | ((request: SeenRequest, at: number) => Reply)): Promise<ModelServer> {
    const server = new ModelServer(typeof answer === 'function' ? answer : () => answer);
    await new Promise<void>((resolve) => void server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => void this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const body = text === '' ? {} : (JSON.parse(text) as SeenBody);
    const seen = { path: request.url ?? '', headers: request.headers, body };
    this.seen.push(seen);
    const reply = this.#answer(seen, this.seen.length - 1);
    response.on('close', () => {
      if (!response.writableFinished && reply.end !== 'reset') this.ended.push('left');
    });
    if (reply.frames === undefined) this.#write(response, reply);
    else await this.#stream(response, reply, reply.frames);
  }

  #write(response: ServerResponse, reply: Reply): void {
    const type = reply.html === undefined ? 'application/json' : 'text/html';
    response.writeHead(reply.status ?? 200, { 'Content-Type': type, ...reply.headers });
    response.end(reply.html ?? JSON.stringify(reply.json ?? {}), () => this.ended.push('whole'));
  }

  async #stream(response: ServerResponse, reply: Reply, frames: readonly (string | Promise<unknown>)[]): Promise<void> {
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', ...reply.headers });
    response.flushHeaders();
    for (const frame of frames) {
      if (typeof frame !== 'string') await frame;
      else await new Promise<void>((resolve) => void response.write(frame, () => resolve()));
      if (response.destroyed) return;
    }
    if (reply.end === 'hold') return;
    if (reply.end === 'reset') {
      this.ended.push('reset');
      response.destroy();
    } else response.end(() => this.ended.push('whole'));
  }
}
