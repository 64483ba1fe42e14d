import * as z from 'zod';
import { LogCursor, TransitionSummary, TransitionView } from '../http/actors.ts';
import { FrameHeadView, ViewerClientId, ViewerGrantId, ViewerSessionId, ViewState } from '../http/viewer.ts';
import { DecimalString } from '../ids.ts';

/** Raise when a message changes its meaning; sent in the handshake `auth.protocol`. */
export const PROTOCOL_VERSION = 1;

export const StreamName = z.string().regex(/^(conversation|task):[A-Za-z0-9_-]{1,120}$/);

/** `inspector`: all actors of the project. `actor:KIND/ID`: the log of one. */
export const InspectionStreamName = z.string().regex(/^(inspector|actor:[a-z][a-z0-9-]{1,39}\/[A-Za-z0-9_-]{1,120})$/);

export const Subscribe = z.union([
  z.strictObject({ stream: StreamName, after: DecimalString }),
  /** `0`: the whole log of an actor, for `inspector` from now on. Else the `cursor` of the last message. */
  z.strictObject({ stream: InspectionStreamName, after: LogCursor }),
]);
export const Unsubscribe = z.strictObject({ stream: z.union([StreamName, InspectionStreamName]) });
/** Same bodies as HTTP, acknowledged once stored. */
export const Command = z.strictObject({
  request_id: z.string().regex(/^[A-Za-z0-9_-]{8,80}$/),
  command: z.enum([
    'task.compile',
    'task.preflight',
    'task.answer',
    'task.start',
    'task.pause',
    'task.resume',
    'task.stop',
    'task.cancel',
    'task.continue',
  ]),
  task_id: z.string(),
  body: z.record(z.string(), z.json()).optional(),
});

/** At least once, in order, by cursor: the client drops what it has and asks for what it misses. */
export const StreamEventMessage = z.object({
  stream: StreamName,
  seq: DecimalString,
  type: z.string(),
  data: z.json(),
});
export type StreamEventMessage = z.infer<typeof StreamEventMessage>;

/** Committed transitions, at most ten messages a second. What was left out is read again over HTTP from `gap.after` on. */
export const InspectionMessage = z.object({
  stream: InspectionStreamName,
  /** Subscribing with it goes on from here; `inspector` then repeats a little: drop what has a known actor, seq and index. */
  cursor: z.string(),
  /** Whole rows for one actor, lines for all. */
  transitions: z.array(z.union([TransitionView, TransitionSummary])),
  /** Comes before the transitions of its message. */
  gap: z.object({ transitions: z.int().nonnegative(), is_exact: z.boolean(), after: z.string() }).nullable(),
});
export type InspectionMessage = z.infer<typeof InspectionMessage>;

/** The cursor was trimmed or is ahead of the truth: take the snapshot, then go on from `seq`. */
export const Resync = z.object({ stream: StreamName, snapshot: z.json(), seq: DecimalString });

/** Looks on at a browser session; the grant comes from `POST /viewer/exchange` and serves this caller and client only. */
export const View = z.strictObject({
  session_id: ViewerSessionId,
  grant_id: ViewerGrantId,
  client_id: ViewerClientId,
});
/** Stops looking, and nothing else. */
export const Unview = z.strictObject({ session_id: ViewerSessionId });
/** Asks for a new picture of what is shown; no page is loaded again. */
export const ViewRefresh = z.strictObject({ session_id: ViewerSessionId });
/** Asks for one kept picture of the session; it comes as `frame` with `is_history`. */
export const ViewFrame = z.strictObject({ session_id: ViewerSessionId, frame_id: DecimalString });

/** The newest picture only: what a slow reader missed is never sent. `bytes` is JPEG, or null when `withheld` says why. */
export const FrameMessage = FrameHeadView.extend({
  /** As in `view`. */
  session_id: z.string(),
  /** The session that is shown: the one asked for, or the one that went on with its work. */
  shown_session_id: z.string(),
  stale: z.boolean(),
  is_history: z.boolean(),
  /** An ArrayBuffer in a browser, a Buffer elsewhere. */
  bytes: z
    .custom<Uint8Array | ArrayBuffer>((value) => value instanceof Uint8Array || value instanceof ArrayBuffer)
    .nullable(),
});
export type FrameMessage = z.infer<typeof FrameMessage>;

/** Sent when it changes. `age_ms` is the age of the newest picture; null: there is none yet. */
export const ViewStateMessage = z.object({
  session_id: z.string(),
  shown_session_id: z.string(),
  state: ViewState,
  age_ms: z.int().nonnegative().nullable(),
});
export type ViewStateMessage = z.infer<typeof ViewStateMessage>;

/** Nothing more comes. After `expired` a new ticket may be asked for. */
export const ViewEnd = z.object({
  session_id: z.string(),
  reason: z.enum(['revoked', 'expired', 'gone', 'failed']),
});
export type ViewEnd = z.infer<typeof ViewEnd>;

export type ClientToServer = {
  subscribe(body: z.infer<typeof Subscribe>, ack: (answer: { ok: boolean; problem?: unknown }) => void): void;
  unsubscribe(body: z.infer<typeof Unsubscribe>): void;
  command(
    body: z.infer<typeof Command>,
    ack: (answer: { ok: boolean; result?: unknown; problem?: unknown }) => void,
  ): void;
  view(body: z.infer<typeof View>, ack: (answer: { ok: boolean; problem?: unknown }) => void): void;
  unview(body: z.infer<typeof Unview>): void;
  view_refresh(body: z.infer<typeof ViewRefresh>, ack: (answer: { ok: boolean; problem?: unknown }) => void): void;
  view_frame(body: z.infer<typeof ViewFrame>, ack: (answer: { ok: boolean; problem?: unknown }) => void): void;
};

export type ServerToClient = {
  event(message: StreamEventMessage): void;
  resync(message: z.infer<typeof Resync>): void;
  inspect(message: InspectionMessage): void;
  frame(message: FrameMessage): void;
  view_state(message: ViewStateMessage): void;
  view_end(message: ViewEnd): void;
};
