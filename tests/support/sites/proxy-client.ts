import { request, type IncomingHttpHeaders } from 'node:http';
import {
  EgressProxy,
  type EgressOptions,
  type ProxyCredentials,
} from '#runtime/providers/browser/egress/egress-proxy.ts';

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string };

export function basic({ username, password }: Pick<ProxyCredentials, 'username' | 'password'>): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

export async function startProxy(options: Partial<EgressOptions> = {}): Promise<{ proxy: EgressProxy; url: URL }> {
  const proxy = new EgressProxy({
    resolve: () => Promise.resolve(['127.0.0.1']),
    approvedDestinations: new Set(),
    approvedOrigins: new Map(),
    ...options,
  });
  return { proxy, url: new URL(await proxy.start()) };
}

type Asking = { readonly authorization?: string; readonly method?: string; readonly headers?: IncomingHttpHeaders };

/** One request in absolute form, or a CONNECT, as a browser sends it. */
export function askProxy(
  url: URL,
  target: string,
  { authorization, method = 'GET', headers }: Asking = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request({
      host: url.hostname,
      port: url.port,
      method,
      path: target,
      agent: false,
      headers: { ...headers, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
    });
    asking.on('error', reject);
    asking.on('connect', (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: '' });
    });
    asking.on('response', (answer) => {
      let body = '';
      answer.on('error', reject);
      answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
    });
    asking.end();
  });
}
