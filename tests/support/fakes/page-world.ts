// A small world of pages: the far end of search and browser in actor tests.
//
// Owns:     pages by address, which of them hang or fail, the record of every navigation that was really sent.
// Owns not: reading (the real reader does it), any actor.
//
//   PW1  A navigation is recorded when it leaves, so that a repeated one shows.
//   PW2  A held page answers only after `release`; an aborted one rejects.

import { failure, PlatformError, type Failure } from '#contracts/errors.ts';
import type { PageObservation } from '#contracts/browser/observation.ts';
import type { BrowserPort, Observation, SessionRequest } from '#contracts/ports/browser.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import type { SearchRequest } from '#contracts/research/search.ts';
import { terms } from '#contracts/text/segment.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';

type Page = { readonly title: string; readonly html: string };
type Session = { readonly request: SessionRequest; url: string; generation: number };

export const page = (title: string, body: string, lang = 'en'): Page => ({
  title,
  html: `<!doctype html><html lang="${lang}"><head><title>${title}</title></head><body><article><h1>${title}</h1>${body}</article></body></html>`,
});

export class PageWorld {
  readonly pages = new Map<string, Page>();
  /** When its pages say they were read. */
  readAtMs = 1_700_000_000_000;
  /** Action ids of navigations that were sent, in order. */
  readonly sent: string[] = [];
  readonly spans: { readonly url: string; readonly taskId: string; readonly from: number; to: number }[] = [];
  readonly closedTasks: string[] = [];
  readonly searches: (SearchRequest & { readonly callId: string; readonly reason: string })[] = [];
  readonly open = new Map<string, Session>();
  readonly #held = new Map<string, (() => void)[]>();
  readonly #failing = new Map<string, Failure[]>();
  #ticks = 0;

  add(url: string, content: Page): this {
    this.pages.set(url, content);
    return this;
  }

  hold(url: string): this {
    this.#held.set(url, []);
    return this;
  }

  release(url: string): void {
    const waiting = this.#held.get(url) ?? [];
    this.#held.delete(url);
    for (const go of waiting) go();
  }

  /** Of a page, or of the next `search`. */
  failNext(url: string, reason: Failure): void {
    this.#failing.set(url, [...(this.#failing.get(url) ?? []), reason]);
  }

  readonly search: SearchPort = {
    provider: 'world',
    search: (request, call) => {
      this.searches.push({ ...request, callId: call.callId, reason: call.reason });
      const reason = this.#failing.get('search')?.shift();
      if (reason !== undefined) return Promise.reject(new PlatformError(reason));
      const asked = new Set(terms(request.brief));
      const found = [...this.pages]
        .map(([url, { title, html }]) => ({
          url,
          title,
          hits: terms(`${title} ${html}`).filter((term) => asked.has(term)).length,
        }))
        .filter(({ hits }) => hits > 0)
        .sort((a, b) => b.hits - a.hits);
      if (found.length === 0)
        return Promise.reject(new PlatformError(failure('search.response_invalid', 'nothing was found')));
      const query = `looked up: ${request.brief}`;
      call.onEvent?.({ type: 'query', call_id: call.callId, query });
      return Promise.resolve({
        provider: 'world',
        query: request.brief,
        report: `${found.length} pages`,
        queries: [query],
        sources: found.slice(0, 32).map(({ url, title }) => ({ url, title })),
        images: [],
      });
    },
  };

  readonly browser: BrowserPort = {
    health: () =>
      Promise.resolve({
        ok: true,
        engine: 'world',
        version: '1',
        executable: '',
        startedMs: 0,
        sessions: this.open.size,
        isSandboxed: null,
        checks: [],
      }),
    openSession: (request) => {
      this.open.set(request.sessionId, { request, url: '', generation: 0 });
      return Promise.resolve();
    },
    navigate: async (sessionId, action, signal) => {
      this.sent.push(action.actionId);
      const session = this.#session(sessionId);
      const span = { url: action.url, taskId: session.request.taskId, from: (this.#ticks += 1), to: 0 };
      this.spans.push(span);
      await this.#wait(action.url, signal);
      span.to = this.#ticks += 1;
      const reason = this.#failing.get(action.url)?.shift();
      if (reason !== undefined) throw new PlatformError(reason);
      session.url = action.url;
      session.generation += 1;
      return { outcome: 'confirmed', observation: this.#observe(session) };
    },
    read: async (sessionId) => {
      const session = this.#session(sessionId);
      const { html } = this.#page(session.url);
      const raw = { bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', url: session.url };
      const read = await createReader().read(raw);
      return {
        outcome: 'confirmed',
        observation: this.#observe(session),
        page: read,
        robots: null,
        retrievedAtMs: this.readAtMs,
      };
    },
    screenshot: () => Promise.resolve(new Uint8Array()),
    observe: (sessionId) => Promise.resolve(this.#offer(this.#session(sessionId))),
    captureFrame: () => Promise.resolve(null),
    closeSession: (sessionId) => {
      this.open.delete(sessionId);
      return Promise.resolve();
    },
    closeTask: (taskId) => {
      this.closedTasks.push(taskId);
      for (const [id, session] of this.open) if (session.request.taskId === taskId) this.open.delete(id);
      return Promise.resolve();
    },
    stop: () => Promise.resolve(),
  };

  #session(sessionId: string): Session {
    const session = this.open.get(sessionId);
    if (session === undefined) throw new PlatformError(failure('browser.crashed', `there is no session ${sessionId}`));
    return session;
  }

  #page(url: string): Page {
    const found = this.pages.get(url);
    if (found === undefined) throw new PlatformError(failure('browser.navigation_failed', `no such page: ${url}`));
    return found;
  }

  #observe(session: Session): Observation {
    return {
      observationId: `${session.request.sessionId}:${session.generation}`,
      documentGeneration: `g${session.generation}`,
      finalUrl: session.url,
      title: this.#page(session.url).title,
      httpStatus: 200,
      contentType: 'text/html',
    };
  }

  #offer(session: Session): PageObservation {
    const seen = this.#observe(session);
    return {
      observation_id: seen.observationId,
      document_generation: seen.documentGeneration,
      route_generation: 0,
      final_url: seen.finalUrl,
      title: seen.title,
      http_status: seen.httpStatus,
      content_type: seen.contentType,
      frames: [{ origin: new URL(session.url).origin, url: session.url, parent: null }],
      items: [{ kind: 'text', frame: 0, text: seen.title, visibility: 'visible' }],
      more: { controls: 0, texts: 0 },
      scroll: { at: 0, height: 900, view: 900 },
      unread: [],
    };
  }

  #wait(url: string, signal: AbortSignal): Promise<void> {
    const waiting = this.#held.get(url);
    if (waiting === undefined) return Promise.resolve();
    return new Promise((resolve, reject) => {
      waiting.push(resolve);
      signal.addEventListener('abort', () => reject(new PlatformError(failure('effect.aborted', 'given up'))));
    });
  }
}
