import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SavedPage } from './data-sets.ts';

export type PageServer = {
  readonly port: number;
  readonly urls: readonly string[];
  /** The same pages, each answered only after `LATENCY_MS`. */
  readonly slowUrls: readonly string[];
  close(): Promise<void>;
};

/** About what a page of another continent takes to answer. */
const LATENCY_MS = 400;

/** The pages over HTTP on a free loopback port; what they ask for besides is not there. */
export async function servePages(pages: readonly SavedPage[]): Promise<PageServer> {
  const bodies = pages.map((page) => Buffer.from(page.html()));
  const server = createServer((request, response) => {
    const [, speed, index] = /^\/(page|slow)\/(\d+)$/u.exec(request.url ?? '') ?? [];
    const body = bodies[Number(index ?? -1)];
    const answer = (): void => void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);
    if (body === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
    else if (speed === 'slow') setTimeout(answer, LATENCY_MS);
    else answer();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    slowUrls: pages.map((_, index) => `http://127.0.0.1:${port}/slow/${index}`),
    urls: pages.map((_, index) => `http://127.0.0.1:${port}/page/${index}`),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
