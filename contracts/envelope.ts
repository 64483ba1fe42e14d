import * as z from 'zod';
import { DecimalString, Timestamp } from './ids.ts';

/** `kind/id`, the name of an actor inside a project. */
export const ActorAddress = z.string().regex(/^[a-z][a-z0-9-]{1,39}\/[A-Za-z0-9_-]{1,120}$/);
export type ActorAddress = z.infer<typeof ActorAddress>;

/** Anything an actor understands: a dotted type and plain JSON beside it. Types that start with `xstate.` are refused. */
export type ActorEvent = { readonly type: string; readonly [field: string]: unknown };

/** `operator` mail is read before `normal` mail, so that a stop never queues behind a backlog. */
export const Priority = z.enum(['normal', 'operator']);
export type Priority = z.infer<typeof Priority>;

/** Type of the event of a message that only creates: a receiver that lives already ignores it. */
export const CREATE_ONLY = 'runtime.create';

/** Mail from a client, not from an actor, a timer or an effect: only its message ids can come twice. */
export function isOutsideSender(from: string): boolean {
  return from !== 'effect' && from !== 'timer' && !from.includes('/');
}

export const Envelope = z.object({
  /** De-duplication key, unique per receiver for ever: `sender:seq:index` between actors, client-made from outside. */
  messageId: z.string().min(1).max(300),
  project: z.string(),
  to: ActorAddress,
  /** Address of the sending actor, or `http`, `socket`, `system`, `timer`, `effect`, `operator` (a dead letter sent again). */
  from: z.string(),
  priority: Priority,
  event: z.looseObject({ type: z.string() }),
  /** Creates the actor when it does not exist; `event` is then ignored unless the actor already lives. */
  create: z
    .object({ input: z.json(), fence: z.object({ scope: z.string(), generation: DecimalString }).optional() })
    .optional(),
  /** Optimistic check against the actor's event_seq: the message is refused as `request.conflict` when it differs. */
  ifEventSeq: DecimalString.optional(),
  sentAt: Timestamp,
});
export type Envelope = z.infer<typeof Envelope>;
