import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Meter } from './meter.ts';
import { pinnedDial } from './pinned-dial.ts';

export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
const IDLE_TIMEOUT_MS = 30_000;
/** A response that drips for ever would hold its place for ever. */
const MAX_RESPONSE_MS = 300_000;

const HOP_BY_HOP = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/** Headers for the other side: neither those of this hop, nor those that the Connection header names as such. */
function endToEnd(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/u));
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.has(name)) kept[name] = value;
  return kept;
}

export type Forwarding = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly dial: readonly [string, ...string[]];
  readonly port: number;
  /** Counts bytes of both directions; false ends the exchange. */
  readonly count: (bytesIn: number, bytesOut: number) => boolean;
};

function limited(maxBytes: number, allow: (bytes: number) => boolean): Meter {
  let bytes = 0;
  return new Meter((count) => {
    bytes += count;
    return bytes <= maxBytes && allow(count);
  });
}

/** Sends one plain HTTP request to exactly the judged addresses. */
export function forwardRequest({ request, response, url, dial, port, count }: Forwarding): void {
  const fail = (): void => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-length': '0' }).end();
  };
  const upstream = sendRequest({
    ...pinnedDial(dial),
    port,
    method: request.method,
    path: url.pathname + url.search,
    headers: { ...endToEnd(request.headers), host: url.host },
    setHost: false,
    agent: false,
    timeout: IDLE_TIMEOUT_MS,
  });
  const whole = setTimeout(() => upstream.destroy(new Error('the answer takes too long')), MAX_RESPONSE_MS);
  whole.unref();
  upstream.on('timeout', () => upstream.destroy(new Error('no answer in time')));
  upstream.on('error', fail);
  upstream.on('response', (answer) => {
    const body = limited(MAX_RESPONSE_BYTES, (bytes) => count(bytes, 0));
    body.on('error', () => {
      answer.destroy();
      response.destroy();
    });
    answer.on('error', () => response.destroy());
    answer.on('aborted', () => response.destroy());
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
    response.flushHeaders();
    answer.pipe(body).pipe(response);
  });
  response.on('close', () => {
    clearTimeout(whole);
    upstream.destroy();
  });
  request.on('error', () => upstream.destroy());
  const sent = limited(MAX_REQUEST_BYTES, (bytes) => count(0, bytes));
  sent.on('error', () => upstream.destroy(new Error('the request is too large')));
  request.pipe(sent).pipe(upstream);
}
