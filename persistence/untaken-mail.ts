import { isOutsideSender } from '#contracts/envelope.ts';
import type { Json } from '#contracts/json.ts';
import type { LoggedTransition } from '#contracts/ports/actor-store.ts';

/** A dead letter that no actor ever took, as its receiver's log shows it. The envelope may be anything. */
export function untakenTransition(letter: {
  readonly mailId: number;
  readonly messageId: string;
  readonly envelope: Json;
  readonly reason: string;
  readonly payloadHash: string;
  readonly atMs: number;
}): LoggedTransition {
  const { from, event } = readable(letter.envelope);
  return {
    seq: -letter.mailId,
    index: 0,
    messageId: letter.messageId,
    from,
    eventType: typeof event['type'] === 'string' ? event['type'] : '',
    payloadHash: isOutsideSender(from) ? letter.payloadHash : '',
    outcome: 'poisoned',
    stateBefore: null,
    stateAfter: null,
    detail: { reason: letter.reason, event },
    reply: null,
    durationMicros: 0,
    defHash: '',
    atMs: letter.atMs,
  };
}

function readable(envelope: Json): { readonly from: string; readonly event: { readonly [key: string]: Json } } {
  const { from, event } = objectOf(envelope);
  return { from: typeof from === 'string' ? from : '', event: objectOf(event ?? null) };
}

function objectOf(value: Json): { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json })
    : {};
}
