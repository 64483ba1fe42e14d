import { createServer, type ServerResponse } from 'node:http';
import { closeServer, listen } from '#gateway/server.ts';
import { productVersion } from './facts.ts';
import { renderMetrics } from './metrics.ts';
import type { ProcessParts } from './process-parts.ts';
import { createProcessReadiness } from './readiness.ts';
import { systemClock } from './system-time.ts';

const REQUEST_LIMIT_MS = 10_000;

export type Probes = { readonly url: string; close(): Promise<void> };

/** All that a process without the web interface answers: `/health`, `/ready` and `/metrics`, none of which names anybody's work. */
export async function openProbes(parts: ProcessParts): Promise<Probes> {
  const startedAtMs = systemClock.nowMs();
  const ready = createProcessReadiness(parts);
  const answers: Readonly<Record<string, (response: ServerResponse) => Promise<void> | void>> = {
    '/health': (response) => {
      const uptime_s = (systemClock.nowMs() - startedAtMs) / 1000;
      json(response, 200, { status: 'ok', version: productVersion, uptime_s });
    },
    '/ready': async (response) => {
      const state = await ready();
      json(response, state.ready ? 200 : 503, state);
    },
    '/metrics': (response) => {
      const text = renderMetrics(parts.host.stats(), parts.wire.look().ok, 0);
      send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', text);
    },
  };
  const server = createServer((request, response) => {
    const answer = request.method === 'GET' ? answers[request.url ?? ''] : undefined;
    if (answer === undefined)
      return json(response, 404, { detail: 'this process answers /health, /ready and /metrics' });
    Promise.resolve(answer(response)).catch((cause: unknown) => {
      parts.logger.warn('a probe could not be answered', { cause: String(cause) });
      response.destroy();
    });
  });
  server.requestTimeout = REQUEST_LIMIT_MS;
  server.headersTimeout = REQUEST_LIMIT_MS;
  const { url } = await listen(server, { host: parts.config.host, port: parts.config.port });
  return { url, close: () => closeServer(server) };
}

function json(response: ServerResponse, status: number, body: object): void {
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(body));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
