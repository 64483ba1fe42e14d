import type { AnyMachineSnapshot } from 'xstate';
import type { FenceRequirement } from '#contracts/effect.ts';
import { CREATE_ONLY, type ActorAddress, type Envelope } from '#contracts/envelope.ts';
import type { Json } from '#contracts/json.ts';
import type { ActorStatus, EffectRow, TimerRow } from '#contracts/ports/actor-store.ts';

/** One actor in memory: its row, its timers and effects, and its live snapshot. Never changed in place once committed. */
export type ActorState = {
  readonly project: string;
  readonly address: ActorAddress;
  readonly shard: number;
  /** Sequence of the last commit; 0 before the first. */
  readonly seq: number;
  readonly eventSeq: number;
  readonly status: ActorStatus;
  readonly machineVersion: number;
  readonly defHash: string;
  readonly fence: FenceRequirement | null;
  /** Who spawned it; hears `child.fenced`. */
  readonly parent: ActorAddress | null;
  /** How many timers it ever armed; the next occurrence is one more. */
  readonly armed: number;
  /** The invocation that each invoke id stands for now: invoke id → effect id. A result of another one is stale. */
  readonly invokes: Readonly<Record<string, string>>;
  readonly timers: ReadonlyMap<string, TimerRow>;
  /** Declared effects without a result yet, by effect id. */
  readonly effects: ReadonlyMap<string, EffectRow>;
  /** `null` when no transition can happen any more (or none yet); then `stored` is what the row keeps. */
  readonly snapshot: AnyMachineSnapshot | null;
  readonly stored: Json;
};

/** What one step consumes. */
export type StepInput =
  | {
      readonly kind: 'mail';
      readonly mailId: number;
      readonly envelope: Envelope;
      readonly payloadHash: string;
    }
  | { readonly kind: 'timer'; readonly timerId: string; readonly occurrence: number };

/** The event of the mail that carries an effect's result back. */
export const EFFECT_RESULT = 'effect.result';
/** The event of the mail that only creates an actor. */
export { CREATE_ONLY };
/** Sender of a dead letter that an operator sent again; nobody outside can use the name. */
export const OPERATOR = 'operator';
/** The event by which a spawner learns that a child's fence moved. */
export const CHILD_FENCED = 'child.fenced';
