import * as z from 'zod';
import { DecimalString } from '../ids.ts';

/** Raise when a message changes its meaning; sent in the handshake `auth.protocol`. */
export const PROTOCOL_VERSION = 1;

export const StreamName = z.string().regex(/^(conversation|task):[A-Za-z0-9_-]{1,120}$/);

export const Subscribe = z.strictObject({ stream: StreamName, after: DecimalString });
export const Unsubscribe = z.strictObject({ stream: StreamName });
/** Same bodies as HTTP, acknowledged once stored. */
export const Command = z.strictObject({
  request_id: z.string().regex(/^[A-Za-z0-9_-]{8,80}$/),
  command: z.enum(['task.start', 'task.pause', 'task.resume', 'task.stop', 'task.cancel']),
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
};
