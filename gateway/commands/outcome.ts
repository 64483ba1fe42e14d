import { fail, Failure } from '#contracts/errors.ts';
import type { ConsumedMessage } from '#contracts/ports/actor-store.ts';

/**
 * Returns when the actor handled the message; throws what its outcome means otherwise.
 * An actor that refuses with a reason replies `{ problem: Failure }`. `status` is the actor's present status, for people.
 */
export function assertHandled(consumed: ConsumedMessage, status: () => string): void {
  const details = { event_seq: String(consumed.eventSeq) };
  switch (consumed.outcome) {
    case 'handled': {
      const refused = problemIn(consumed.reply);
      if (refused !== null) fail(refused.code, refused.message, { retry: refused.retry, ...optional(refused.details) });
      return;
    }
    case 'conflict':
      return fail('request.precondition_failed', `it stands at event ${consumed.eventSeq} by now`, { details });
    case 'ignored':
      return fail('actor.ignored', `this is not possible while it is ${status()}`, {
        details: { ...details, status: status() },
      });
    case 'dropped_done':
      return fail('actor.done', `it has already ended (${status()})`, { details: { ...details, status: status() } });
    case 'forbidden':
      return fail('actor.forbidden_event', 'this is not among the commands it understands');
    case 'stale':
    case 'quarantined':
      return fail('commit.fence_moved', 'it was stopped before this could be done');
    case 'poisoned':
      return fail('actor.poisoned', 'the command failed three times and was set aside');
  }
}

function problemIn(reply: unknown): Failure | null {
  if (typeof reply !== 'object' || reply === null || !('problem' in reply)) return null;
  const parsed = Failure.safeParse(reply.problem);
  return parsed.success ? parsed.data : null;
}

const optional = (details: Failure['details']) => (details === undefined ? {} : { details });
