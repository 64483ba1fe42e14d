import { fail, PlatformError } from '#contracts/errors.ts';
import type { ReaderPort } from '#contracts/ports/reader.ts';
import type { PageKind, ReadPage, Unread } from '#contracts/research/page.ts';
import type { PageSession } from './page-session.ts';
import { SERIALIZE_SCRIPT } from './serialize-script.ts';
import { changesOf } from './wait-for-content.ts';

const SERIALIZE_TIMEOUT_MS = 10_000;
const MAX_TRIES = 3;

type Serialized = {
  readonly html: string;
  readonly isCut: boolean;
  readonly title: string;
  readonly url: string;
  /** It holds documents or trees of their own, whose changes are not counted with those of the page. */
  readonly hasInner: boolean;
};

async function serialize(session: PageSession, signal: AbortSignal): Promise<Serialized> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await session.within(
        session.page.evaluate<Serialized>(SERIALIZE_SCRIPT),
        SERIALIZE_TIMEOUT_MS,
        'reading it',
        signal,
      );
    } catch (error) {
      if (error instanceof PlatformError || session.lost !== undefined || attempt >= MAX_TRIES) throw error;
    }
  }
}

async function readDocument(session: PageSession, reader: ReaderPort, signal: AbortSignal): Promise<ReadPage> {
  const { raw } = session.guard;
  if (raw !== undefined) {
    const page = await reader.read({ bytes: raw.bytes, contentType: raw.contentType, url: raw.url });
    return raw.isCut
      ? withUnread(page, [{ what: 'the end of the file', reason: 'truncated: the response was too long or too slow' }])
      : page;
  }
  const draft = await takeDraft(session, signal);
  const page = draft ?? (await readSerialized(reader, await serialize(session, signal)));
  if (!session.guard.isHeld) return page;
  return withUnread(page, [
    { what: 'later states of the page', reason: 'the page kept moving to other documents and was held' },
  ]);
}

async function readSerialized(reader: ReaderPort, { html, isCut, url }: Serialized): Promise<ReadPage> {
  const bytes = new TextEncoder().encode(html);
  const page = await reader.read({ bytes, contentType: 'text/html; charset=utf-8', url });
  return withUnread(page, isCut ? [{ what: 'the end of the page', reason: 'truncated: the page is too long' }] : []);
}

/** Begins to read the document that is open; `changes` is what had happened to it when this was decided. */
export function beginDraft(session: PageSession, reader: ReaderPort, changes: number, signal: AbortSignal): void {
  const read = async (): Promise<ReadPage | null> => {
    const serialized = await serialize(session, signal);
    return serialized.hasInner ? null : readSerialized(reader, serialized);
  };
  session.draft = { generation: session.generation, changes, reading: read().catch(() => null) };
}

async function takeDraft(session: PageSession, signal: AbortSignal): Promise<ReadPage | null> {
  const { draft } = session;
  session.draft = undefined;
  if (draft === undefined || draft.changes === 0 || draft.generation !== session.generation) return null;
  const page = await draft.reading;
  return page !== null && (await changesOf(session, signal)) === draft.changes ? page : null;
}

function withUnread(page: ReadPage, more: readonly Unread[]): ReadPage {
  return more.length === 0 ? page : { ...page, unread: [...page.unread, ...more] };
}

function kindOfStatus(status: number): PageKind {
  if (status === 404 || status === 410) return 'soft_404';
  return status === 401 || status === 407 ? 'login' : 'error';
}

/** An error status makes a page no content, whatever it says. */
function withStatus(page: ReadPage, status: number | null): ReadPage {
  if (status === null || status < 400 || (page.blocked !== undefined && page.page_kind !== 'empty')) return page;
  return { ...page, page_kind: kindOfStatus(status), blocked: `The site answered with the status ${status}.` };
}

/** Reads the document of the given generation. A wall or an error comes back as a page with `blocked` set. */
export async function readPage(
  session: PageSession,
  reader: ReaderPort,
  generation: string,
  signal: AbortSignal,
): Promise<ReadPage> {
  session.requireGeneration(generation);
  if (!/^https?:/u.test(session.page.url())) fail('browser.not_dispatched', 'No page is open in this session.');
  let page: ReadPage;
  try {
    page = await readDocument(session, reader, signal);
  } catch (cause) {
    if (cause instanceof PlatformError) throw cause;
    if (session.lost !== undefined) throw new PlatformError(session.lost, { cause });
    session.requireGeneration(generation);
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    return fail('page.unreadable', `The page could not be read: ${reason.slice(0, 200)}`, { cause });
  }
  session.requireGeneration(generation);
  return withStatus(page, session.response?.status() ?? null);
}
