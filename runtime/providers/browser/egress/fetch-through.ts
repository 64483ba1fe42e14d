import { request as sendHttp, type IncomingMessage } from 'node:http';
import { request as sendHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { ProxyCredentials } from './sessions.ts';

/** The way out that a session of the browser has too: same proxy, same credentials, same judgement and counting. */
export type Way = { readonly proxy: string; readonly credentials: ProxyCredentials; readonly refusalHeader: string };

export type Fetched =
  | { readonly kind: 'answer'; readonly status: number; readonly location: string | undefined; readonly body: Buffer }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed'; readonly reason: string };

type Limits = { readonly maxBytes: number; readonly timeoutMs: number; readonly signal?: AbortSignal };

function basic({ username, password }: ProxyCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function tunnel(way: Way, url: URL, signal: AbortSignal): Promise<Duplex | 'refused'> {
  const { hostname, port } = new URL(way.proxy);
  const target = `${url.hostname}:${url.port === '' ? '443' : url.port}`;
  return new Promise((resolve, reject) => {
    const asking = sendHttp({
      host: hostname,
      port,
      method: 'CONNECT',
      path: target,
      agent: false,
      signal,
      headers: { host: target, 'proxy-authorization': basic(way.credentials) },
    });
    asking.on('error', reject);
    asking.on('connect', (answer, socket) => {
      if (answer.statusCode === 200) resolve(socket);
      else {
        socket.destroy();
        if (answer.statusCode === 403) resolve('refused');
        else reject(new Error(`the way out answered ${answer.statusCode ?? 0}`));
      }
    });
    asking.end();
  });
}

async function send(way: Way, url: URL, signal: AbortSignal): Promise<IncomingMessage | 'refused'> {
  const headers = { host: url.host, accept: 'text/plain, */*;q=0.1', connection: 'close' };
  const path = url.pathname + url.search;
  if (url.protocol === 'https:') {
    const socket = await tunnel(way, url, signal);
    if (socket === 'refused') return socket;
    const host = url.hostname.replace(/^\[|\]$/gu, '');
    const secure = connectTls({ socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) });
    return answerOf(sendHttps({ host, path, headers, signal, agent: false, createConnection: () => secure }));
  }
  const { hostname, port } = new URL(way.proxy);
  const authorized = { ...headers, 'proxy-authorization': basic(way.credentials) };
  return answerOf(sendHttp({ host: hostname, port, path: url.href, headers: authorized, agent: false, signal }));
}

function answerOf(asking: ReturnType<typeof sendHttp>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asking.on('response', resolve);
    asking.on('error', reject);
    asking.end();
  });
}

async function bodyOf(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** One GET without following anything. */
export async function fetchThrough(way: Way, url: URL, limits: Limits): Promise<Fetched> {
  const late = AbortSignal.timeout(limits.timeoutMs);
  const signal = limits.signal === undefined ? late : AbortSignal.any([late, limits.signal]);
  try {
    const answer = await send(way, url, signal);
    if (answer === 'refused' || answer.headers[way.refusalHeader] !== undefined) return { kind: 'refused' };
    const body = await bodyOf(answer, limits.maxBytes);
    return { kind: 'answer', status: answer.statusCode ?? 0, location: answer.headers.location, body };
  } catch (error) {
    if (late.aborted) return { kind: 'failed', reason: 'no answer in time' };
    return { kind: 'failed', reason: error instanceof Error ? error.message.slice(0, 200) : String(error) };
  }
}
