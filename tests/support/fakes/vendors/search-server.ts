// A vendor's interface on a loopback port.
//
// Owns:     the connection, what was asked, in which order prepared replies go out.
// Owns not: any vendor's format (the other files of this folder).
//
//   VS1  Every request is kept with its headers and body before it is answered.
//   VS2  A reply is used once; a request without a prepared reply is answered 500, so that a surprise shows.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type VendorRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
  /** Resolves when the client has let go of the connection. */
  readonly closed: Promise<void>;
};

export type Reply = (response: ServerResponse, request: VendorRequest) => void;

export type VendorServer = {
  readonly url: string;
  readonly requests: VendorRequest[];
  reply(...replies: readonly Reply[]): void;
  /** Resolves with the request after `count` of them have come. */
  received(count: number): Promise<VendorRequest>;
  close(): Promise<void>;
};

export async function openVendor(): Promise<VendorServer> {
  const requests: VendorRequest[] = [];
  const replies: Reply[] = [];
  const waiting: (() => void)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    void asRequest(incoming, response).then((request) => {
      requests.push(request);
      for (const wake of waiting.splice(0)) wake();
      (replies.shift() ?? json({ error: 'no reply was prepared' }, 500))(response, request);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reply: (...more) => void replies.push(...more),
    received: async (count) => {
      while (requests.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      return requests[count - 1] as VendorRequest;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function asRequest(incoming: IncomingMessage, response: ServerResponse): Promise<VendorRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const url = new URL(incoming.url ?? '/', 'http://vendor.test');
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    closed: new Promise((resolve) => response.on('close', () => resolve())),
  };
}

export const json =
  (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

/** Accepts and never answers. */
export const silence: Reply = () => undefined;

/** Breaks the connection before a byte of the answer. */
export const hangUp: Reply = (response) => void response.socket?.destroy();

export const redirect =
  (location: string): Reply =>
  (response) => {
    response.writeHead(302, { location }).end();
  };

export type SseEvent = { readonly type: string; readonly [field: string]: unknown };

/** `done` ends well, `cut` ends the body before its time, `broken` breaks the connection, `open` says nothing more. */
export type Ending = 'done' | 'cut' | 'broken' | 'open';

export const stream =
  (events: readonly SseEvent[], ending: Ending = 'done'): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    response.write(text, () => {
      if (ending === 'broken') response.socket?.destroy();
      else if (ending !== 'open') response.end();
    });
  };
