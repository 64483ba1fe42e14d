import type { ServerResponse } from 'node:http';

export type SiteRequest = { readonly method: string; readonly path: string };
export type SiteResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

/** Answers requests for one approved internal host inside this process; no socket is opened for it. */
export type InternalSite = (request: SiteRequest) => Promise<SiteResponse>;

export async function answerFromSite(
  site: InternalSite,
  request: SiteRequest,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { 'content-type': 'text/plain; charset=utf-8' }).end('Only reading is possible here.');
    return;
  }
  const answer = await site(request);
  response.writeHead(answer.status, answer.headers);
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}
