import * as z from 'zod';
import { LogCursor, TransitionSummary, TransitionView } from '../http/actors.ts';
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

export type ClientToServer = {
  subscribe(body: z.infer<typeof Subscribe>, ack: (answer: { ok: boolean; problem?: unknown }) => void): void;
  unsubscribe(body: z.infer<typeof Unsubscribe>): void;
  command(
    body: z.infer<typeof Command>,
    ack: (answer: { ok: boolean; result?: unknown; problem?: unknown }) => void,
  ): void;
};

export type ServerToClient = {
  event(message: StreamEventMessage): void;
  resync(message: z.infer<typeof Resync>): void;
  inspect(message: InspectionMessage): void;
};
