import { createHash } from 'node:crypto';
import type { ActorDefinition } from '#runtime/core/define-actor.ts';
import type { ActorStore } from '#contracts/ports/actor-store.ts';
import type { Bus } from '#contracts/ports/bus.ts';
import type { Clock, Randomness } from '#contracts/ports/clock.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import type { Pool } from '#contracts/shards.ts';
import type { PoolOf } from '#runtime/core/shard.ts';
import type { HostLimits } from './limits.ts';

/** What every part of a host is given. */
export type HostParts = {
  readonly workerId: string;
  readonly store: ActorStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly logger: Logger;
  readonly limits: HostLimits;
  readonly definitions: ReadonlyMap<string, ActorDefinition>;
  /** From the definitions: where mail for an address goes. */
  readonly poolOf: PoolOf;
  /** What this worker serves; none: it runs no actor. */
  readonly pools: readonly Pool[];
  /** Handed to effects; the runtime never looks inside. */
  readonly ports: unknown;
};

export function hashPayload(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function kindOf(address: string): string {
  return address.slice(0, address.indexOf('/'));
}

export function actorKey(project: string, address: string): string {
  return `${project}\n${address}`;
}
