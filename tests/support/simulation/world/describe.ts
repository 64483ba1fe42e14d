import type { CommitEntry } from '#contracts/ports/actor-store.ts';

const SHOWN_CHARACTERS = 260;

/** The arguments of a call of the store, for a person who reads a trace. */
export function describeCall(args: readonly unknown[]): string {
  return args.map((arg) => (isEntries(arg) ? arg.map(describeEntry).join(' | ') : describe(arg))).join(' ');
}

export function describe(value: unknown): string {
  if (Array.isArray(value) && value.length > 20) return `[${value.length} items]`;
  const text = (JSON.stringify(value) as string | undefined) ?? '';
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

function isEntries(value: unknown): value is readonly CommitEntry[] {
  return Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null && 'expectedSeq' in value[0];
}

function describeEntry(entry: CommitEntry): string {
  const { address, epoch, expectedSeq, next, consumedMail, transitions, outgoing } = entry;
  const taken = transitions.map((row) => `${row.messageId}:${row.eventType}:${row.outcome}`).join(',');
  const mail = consumedMail.map(({ mailId }) => mailId).join(',');
  const sent = outgoing.map(({ envelope, mailId }) => `${mailId}>${envelope.to}:${envelope.event.type}`).join(',');
  return `${address}@${epoch} ${expectedSeq}+1 ${next.status} took ${taken} (${mail}) sent ${sent}`;
}
