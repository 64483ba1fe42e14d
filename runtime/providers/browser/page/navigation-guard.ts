// NavigationGuard
//
// Looks at each document request of a page before it leaves and before its answer is shown.
// Owns:     whether the page may still navigate by itself, the bytes of documents that no page can show (PDF, text).
// Owns not: where connections may go (the egress proxy).
//
//   NG1  After settle() the page stays as it is: navigations that it starts itself are called off.
//   NG2  A PDF or a text opened by its address is taken as bytes from the browser's own response.
//   NG3  A main document of a type that is not read never becomes a download.
import type { CDPSession } from 'playwright';

export type RawDocument = {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly url: string;
  readonly isCut: boolean;
};

type Paused = {
  requestId: string;
  frameId: string;
  request: { url: string };
  responseStatusCode?: number;
  responseHeaders?: { name: string; value: string }[];
};

const RAW_TYPES =
  /^(?:application\/pdf|application\/x-pdf|text\/plain|text\/markdown|text\/x-markdown|text\/csv|application\/json)$/u;
const SHOWN_TYPES = /^(?:text\/html|application\/xhtml\+xml|application\/xml|text\/xml|image\/svg\+xml|)$/u;
const MAX_RAW_BYTES = 20 * 1024 * 1024 + 1;
const MAX_RAW_WAIT_MS = 15_000;
/** A page that reloads or forwards itself more often than this is held where it is. */
const MAX_OWN_NAVIGATIONS = 5;

export class NavigationGuard {
  raw: RawDocument | undefined;
  unreadableType: string | undefined;
  isHeld = false;
  /** The next HTML document is taken as bytes too: the browser decodes it by a charset that is wrong. */
  takesHtml = false;
  private isSettled = false;
  private navigations = 0;
  private readonly cdp: CDPSession;
  private mainFrame: string;

  private readonly credentials: { readonly username: string; readonly password: string };

  constructor(
    cdp: CDPSession,
    mainFrame: string,
    credentials: { readonly username: string; readonly password: string },
  ) {
    this.credentials = credentials;
    this.cdp = cdp;
    this.mainFrame = mainFrame;
  }

  async start(): Promise<void> {
    this.cdp.on('Fetch.requestPaused', (paused) => void this.handle(paused as Paused));
    this.cdp.on(
      'Fetch.authRequired',
      ({ requestId, authChallenge }) => void this.authenticate(requestId, authChallenge.source),
    );
    await this.cdp.send('Fetch.enable', {
      // Without this the guard would take the proxy's challenge for the answer of the page.
      handleAuthRequests: true,
      patterns: [
        { resourceType: 'Document', requestStage: 'Request' },
        { resourceType: 'Document', requestStage: 'Response' },
      ],
    });
  }

  begin(): void {
    this.raw = undefined;
    this.unreadableType = undefined;
    this.isSettled = false;
    this.isHeld = false;
    this.takesHtml = false;
    this.navigations = 0;
  }

  settle(): void {
    this.isSettled = true;
  }

  private async handle(paused: Paused): Promise<void> {
    try {
      const isMain = paused.frameId === this.mainFrame;
      if (paused.responseStatusCode === undefined) await this.handleRequest(paused, isMain);
      else if (isMain) await this.handleResponse(paused, paused.responseStatusCode);
      else await this.proceed(paused);
    } catch {
      // The request or the page went away while it was held.
    }
  }

  private async authenticate(requestId: string, source: string | undefined): Promise<void> {
    const authChallengeResponse =
      source === 'Proxy'
        ? { response: 'ProvideCredentials' as const, ...this.credentials }
        : { response: 'CancelAuth' as const };
    await this.cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined);
  }

  private async proceed({ requestId }: Paused): Promise<void> {
    await this.cdp.send('Fetch.continueRequest', { requestId });
  }

  private async handleRequest(paused: Paused, isMain: boolean): Promise<void> {
    if (isMain) this.navigations += 1;
    if (isMain && (this.isSettled || this.navigations > MAX_OWN_NAVIGATIONS + 1)) {
      this.isHeld = true;
      await this.cdp.send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Aborted' });
      return;
    }
    await this.proceed(paused);
  }

  private async handleResponse(paused: Paused, status: number): Promise<void> {
    const header = (name: string): string =>
      paused.responseHeaders?.find((one) => one.name.toLowerCase() === name)?.value ?? '';
    const contentType = header('content-type');
    const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
    const isRedirect = status >= 300 && status < 400;
    const isAttachment = /^\s*attachment/iu.test(header('content-disposition'));
    const path = paused.request.url.replace(/[?#].*$/u, '').toLowerCase();
    const isRaw = RAW_TYPES.test(type) || (type === 'application/octet-stream' && /\.(?:pdf|md|txt)$/u.test(path));
    const isShown = SHOWN_TYPES.test(type) && !isAttachment;
    if (isRedirect || (isShown && !this.takesHtml)) await this.proceed(paused);
    else if (isRaw || isShown) await this.takeRaw(paused, status, contentType);
    else {
      this.unreadableType = type === '' ? 'a download' : type;
      await this.cdp.send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Aborted' });
    }
  }

  private async takeRaw(paused: Paused, status: number, contentType: string): Promise<void> {
    const { bytes, isCut } = await this.readStream(paused.requestId);
    this.raw = { bytes, contentType, url: paused.request.url, isCut };
    await this.cdp.send('Fetch.fulfillRequest', {
      requestId: paused.requestId,
      responseCode: status,
      responseHeaders: [{ name: 'content-type', value: 'text/html; charset=utf-8' }],
      body: Buffer.from('<!doctype html><title></title>').toString('base64'),
    });
  }

  private async readStream(requestId: string): Promise<{ bytes: Uint8Array; isCut: boolean }> {
    const { stream } = await this.cdp.send('Fetch.takeResponseBodyAsStream', { requestId });
    const chunks: Buffer[] = [];
    const deadline = performance.now() + MAX_RAW_WAIT_MS;
    let length = 0;
    let isEnd = false;
    while (!isEnd && length < MAX_RAW_BYTES && performance.now() < deadline) {
      const part = await this.cdp.send('IO.read', { handle: stream, size: 1_048_576 });
      const chunk = Buffer.from(part.data, part.base64Encoded === true ? 'base64' : 'utf8');
      chunks.push(chunk);
      length += chunk.length;
      isEnd = part.eof;
    }
    await this.cdp.send('IO.close', { handle: stream });
    return { bytes: Buffer.concat(chunks), isCut: !isEnd };
  }
}
