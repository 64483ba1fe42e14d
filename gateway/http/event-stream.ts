// Event stream
//
// A committed actor stream as server-sent events (SSE): old events first, then live ones, until the reader leaves.
// Owns:     the cursor, the heartbeat, the bound of what waits in memory.
// Owns not: the events (EventStreams), their shape (presenters).
//
//   ES1  An event's id is `<resource>:<seq>`; a reader that sends it back as Last-Event-ID misses and repeats nothing.
//   ES2  A cursor ahead of the truth is 410: that reader holds events that never happened, and must take the snapshot.
//   ES4  A cursor whose next event was trimmed is 410 likewise; never is a gap sent as if nothing were missing.
//   ES3  A slow reader is cut off, never waited for: it comes back with its cursor.

import { PassThrough } from 'node:stream';
import { fail } from '#contracts/errors.ts';
import type { StreamEvent } from '#contracts/ports/event-streams.ts';
import { ANSWERED, type Gateway, type GatewayContext } from './route.ts';

const HEARTBEAT_MS = 15_000;
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** What the reader's browser waits before it connects again. */
const RECONNECT_MS = 2_000;

type Source = {
  readonly project: string;
  readonly kind: 'task' | 'conversation';
  readonly id: string;
  present(event: StreamEvent): unknown;
};

/** Answers the request with the stream of an actor. Throws `resource.gone` (ES2) and `request.invalid` before it begins. */
export async function answerEventStream(gateway: Gateway, ctx: GatewayContext, source: Source, after?: string) {
  const cursor = readCursor(source, ctx.get('Last-Event-ID') || after);
  const actor = await gateway.client.view(source.project, `${source.kind}/${source.id}`);
  const truth = actor?.eventSeq ?? 0;
  if (cursor > truth) {
    fail('resource.gone', `the cursor ${cursor} is ahead of the last event ${truth}; take the snapshot`, {
      details: { event_seq: String(truth) },
    });
  }
  const [next] = await gateway.streams.read(source.project, `${source.kind}:${source.id}`, cursor, 1);
  const isTrimmed = next === undefined ? cursor < truth : next.seq > cursor + 1;
  if (isTrimmed) {
    fail('resource.gone', `events after ${cursor} are no longer kept; take the snapshot`, {
      details: { event_seq: String(truth) },
    });
  }
  const out = new PassThrough();
  ctx.status = 200;
  ctx.set('Content-Type', 'text/event-stream; charset=utf-8');
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = out;
  out.write(`retry: ${RECONNECT_MS}\n\n`);
  pump(gateway, source, cursor, out);
  return ANSWERED;
}

function pump(gateway: Gateway, source: Source, cursor: number, out: PassThrough): void {
  let cancelHeartbeat = (): void => undefined;
  const beat = (): void => {
    out.write(': alive\n\n');
    cancelHeartbeat = gateway.clock.after(HEARTBEAT_MS, beat);
  };
  cancelHeartbeat = gateway.clock.after(HEARTBEAT_MS, beat);
  const end = (): void => void out.end();
  const stop = gateway.streams.watch(source.project, `${source.kind}:${source.id}`, cursor, (event) => {
    if (out.writableEnded) return;
    out.write(format(source, event));
    if (out.writableLength > MAX_WAITING_BYTES) out.destroy();
  });
  gateway.closing.addEventListener('abort', end, { once: true });
  if (gateway.closing.aborted) end();
  out.once('close', () => {
    stop();
    cancelHeartbeat();
    gateway.closing.removeEventListener('abort', end);
  });
}

/** JSON has no raw line break, so one `data:` line holds it. Event types are dotted words. */
function format(source: Source, event: StreamEvent): string {
  return `id: ${source.id}:${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(source.present(event))}\n\n`;
}

/** `<id>:<seq>`, `<kind>:<seq>` or `<seq>`; nothing means from the beginning. */
function readCursor(source: Source, text: string | undefined): number {
  if (text === undefined) return 0;
  const parts = /^(?:([A-Za-z0-9_-]{1,120}):)?(0|[1-9][0-9]{0,14})$/.exec(text);
  const isForeign = parts?.[1] !== undefined && parts[1] !== source.id && parts[1] !== source.kind;
  if (parts === null || isForeign) fail('request.invalid', `expected a cursor ${source.id}:<number>`);
  return Number(parts[2]);
}
