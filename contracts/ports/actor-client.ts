import type { ActorAddress, ActorEvent, Priority } from '../envelope.ts';
import type { FenceRequirement } from '../effect.ts';
import type { ActorStatus, ConsumedMessage, Json } from './actor-store.ts';

export type ActorMessage = {
  readonly project: string;
  readonly to: ActorAddress;
  readonly event: ActorEvent;
  /** Client-made; the same id with the same content is answered from the log, with other content is a conflict. */
  readonly messageId: string;
  readonly from: string;
  readonly priority?: Priority;
  readonly create?: { readonly input: Json; readonly fence?: FenceRequirement };
  readonly ifEventSeq?: number;
  /**
   * What counts as the same content when a `messageId` comes again; absent: the hash of event and create input.
   * A request that a person repeats carries a new time but the same hash, and is answered from the log.
   */
  readonly contentHash?: string;
};

export type ActorView = {
  readonly address: ActorAddress;
  readonly status: ActorStatus;
  readonly seq: number;
  readonly eventSeq: number;
  /** XState state value. */
  readonly state: Json;
  readonly view: Json;
};

/** How everybody outside the actors talks to them. */
export interface ActorClient {
  /** Resolves when the message is stored (never: when it was acted on). Throws `request.conflict` or `actor.mailbox_full`. */
  send(message: ActorMessage): Promise<void>;
  /** `send`, then waits for the commit that consumed the message. Throws `store.unavailable` after `timeoutMs`; the message stays stored. */
  ask(message: ActorMessage, timeoutMs: number): Promise<ConsumedMessage>;
  view(project: string, address: ActorAddress): Promise<ActorView | null>;
}
