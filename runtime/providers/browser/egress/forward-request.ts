import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';

export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
const IDLE_TIMEOUT_MS = 30_000;

const HOP_BY_HOP = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

function endToEnd(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !HOP_BY_HOP.has(name)) kept[name] = value;
  return kept;
}

type Forwarding = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly dial: string;
  readonly port: number;
};

/** Stops a response that is larger than any page that is read. */
function limited(): PassThrough {
  let bytes = 0;
  const pass = new PassThrough();
  pass.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) pass.destroy(new Error('the response is too large'));
  });
  return pass;
}

/** Sends one plain HTTP request to exactly the judged address. */
export function forwardRequest({ request, response, url, dial, port }: Forwarding): void {
  const fail = (): void => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-length': '0' }).end();
  };
  const upstream = sendRequest({
    host: dial,
    port,
    method: request.method,
    path: url.pathname + url.search,
    headers: { ...endToEnd(request.headers), host: url.host },
    setHost: false,
    agent: false,
    timeout: IDLE_TIMEOUT_MS,
  });
  upstream.on('timeout', () => upstream.destroy(new Error('no answer in time')));
  upstream.on('error', fail);
  upstream.on('response', (answer) => {
    const body = limited();
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
  response.on('close', () => upstream.destroy());
  request.on('error', () => upstream.destroy());
  request.pipe(upstream);
}
