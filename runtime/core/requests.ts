import type { FenceRequirement, FenceState } from '#contracts/effect.ts';
import type { ActorAddress, ActorEvent, Priority } from '#contracts/envelope.ts';

/** What a transition asks for. Plain data: the step turns it into rows of the same commit. */
export type Request =
  | { readonly request: 'send'; readonly to: ActorAddress; readonly event: ActorEvent; readonly priority: Priority }
  | {
      readonly request: 'spawn';
      readonly kind: string;
      readonly id: string;
      readonly input: unknown;
      /** Absent: the child inherits the spawner's fence. `null`: it requires none. */
      readonly fence?: FenceRequirement | null;
    }
  | { readonly request: 'publish'; readonly type: string; readonly data: unknown }
  | { readonly request: 'write'; readonly table: string; readonly row: Readonly<Record<string, unknown>> }
  | { readonly request: 'reply'; readonly data: unknown }
  | { readonly request: 'setFence'; readonly fence: FenceState };

/** Mail to another actor of the same project. `operator` mail is read before all other mail. */
export function send(to: ActorAddress, event: ActorEvent, options: { priority?: Priority } = {}): Request {
  return { request: 'send', to, event, priority: options.priority ?? 'normal' };
}

/** Creates `kind/id` through its mailbox. The same id twice creates one actor. */
export function spawn(
  kind: string,
  id: string,
  input: unknown,
  options: { fence?: FenceRequirement | null } = {},
): Request {
  return { request: 'spawn', kind, id, input, ...(options.fence === undefined ? {} : { fence: options.fence }) };
}

/** Appends a numbered event to this actor's stream `kind:id`; the runtime numbers it without gaps. */
export function publish(type: string, data: unknown): Request {
  return { request: 'publish', type, data };
}

/** A domain row that becomes true with this transition, in the same commit. */
export function write(table: string, row: Readonly<Record<string, unknown>>): Request {
  return { request: 'write', table, row };
}

/** Recorded with the consumed message; what `ActorClient.ask` returns. The last one of a transition counts. */
export function reply(data: unknown): Request {
  return { request: 'reply', data };
}

/** Sets a fence. A generation lower than the stored one is never written. */
export function setFence(scope: string, generation: number, open: boolean): Request {
  return { request: 'setFence', fence: { scope, generation, open } };
}
