import type { EffectRow, OutgoingMessage, TimerRow, TransitionRow, CommitEntry } from '#contracts/ports/actor-store.ts';
import type { Envelope } from '#contracts/envelope.ts';

/** Far above what the stores of a test reserve. */
const FIRST_MAIL_ID = 2 ** 50;
let mailIds = 0;

const SENT_AT = '2026-01-01T00:00:00.000Z';

export function mailOf(change: {
  project: string;
  to: string;
  id: string;
  shard?: number;
  hash?: string;
  priority?: Envelope['priority'];
  note?: string;
  from?: string;
}): OutgoingMessage {
  mailIds += 1;
  const envelope: Envelope = {
    messageId: change.id,
    project: change.project,
    to: change.to,
    from: change.from ?? 'http',
    priority: change.priority ?? 'normal',
    event: { type: 'note.added', note: change.note ?? change.id },
    sentAt: SENT_AT,
  };
  return {
    envelope,
    text: JSON.stringify(envelope),
    mailId: FIRST_MAIL_ID + mailIds,
    shard: change.shard ?? 0,
    payloadHash: change.hash ?? `hash of ${change.id}`,
  };
}

export function transitionOf(change: Partial<TransitionRow> & { messageId: string }): TransitionRow {
  return {
    index: 0,
    from: 'http',
    eventType: 'note.added',
    payloadHash: `hash of ${change.messageId}`,
    outcome: 'handled',
    stateBefore: 'idle',
    stateAfter: 'busy',
    detail: { edges: [] },
    reply: null,
    durationMicros: 12,
    ...change,
  };
}

export function timerOf(change: Partial<TimerRow> & { timerId: string }): TimerRow {
  return { occurrence: 1, dueAtMs: 1_000, event: { type: 'timer.due' }, ...change };
}

export function effectOf(change: Partial<EffectRow> & { effectId: string }): EffectRow {
  return {
    invokeId: 'read',
    src: 'readPage',
    class: 'idempotent',
    input: { url: 'https://example.com/' },
    state: 'pending',
    attempt: 0,
    notBeforeMs: 0,
    fence: null,
    ...change,
  };
}

/** A commit that does nothing but step the actor; name what else it does. */
export function entryOf(
  change: Partial<CommitEntry> & { project: string; address: string; snapshot?: CommitEntry['next']['snapshot'] },
): CommitEntry {
  const { snapshot, ...rest } = change;
  return {
    shard: 0,
    epoch: 1,
    expectedSeq: 0,
    next: {
      machineVersion: 1,
      defHash: 'def',
      status: 'active',
      eventSeq: 0,
      snapshot: snapshot ?? { value: 'idle', context: {} },
      fence: null,
    },
    requires: null,
    transitions: [],
    consumedMail: [],
    outgoing: [],
    timersSet: [],
    timersDeleted: [],
    effectsAdded: [],
    effectsDeleted: [],
    writes: [],
    published: [],
    fencesSet: [],
    quarantined: [],
    deadLetters: [],
    ...rest,
  };
}
