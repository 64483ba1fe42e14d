import type { AnyMachineSnapshot, AnyStateMachine, SnapshotFrom } from 'xstate';
import type { ActorEvent } from '#contracts/envelope.ts';
import type { OperatorCommand } from '#contracts/http/actors.ts';
import type { Json } from '#contracts/json.ts';
import type { Pool } from '#contracts/shards.ts';
import type { AnyEffect } from './authoring.ts';
import { hashDefinition } from './definition-hash.ts';
import { noticeGuards } from './guard-record.ts';
import { validateMachine } from './validate-machine.ts';

/** The part of a zod schema that the runtime uses. */
export type Schema = {
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: unknown } | { readonly success: false; readonly error: Error };
};

/** A snapshot written by another definition of the machine, as stored. */
export type StoredState = {
  readonly machineVersion: number;
  readonly defHash: string;
  readonly value: Json;
  readonly historyValue: Json;
  readonly context: Json;
};

/**
 * Carries a stored state over to this definition; `null` means "cannot" (the actor waits as `needs_migration`).
 * Timers and effects that the new state implies are armed anew where no row exists, and rows it does not imply are deleted.
 */
export type Upgrade = (stored: StoredState) => Pick<StoredState, 'value' | 'historyValue' | 'context'> | null;

/** A definition of a machine that was given out, so that rows it wrote may exist anywhere. */
export type Release = {
  readonly version: number;
  readonly defHash: string;
  /** The version of XState that it ran on: a snapshot is as XState makes it. */
  readonly xstate: string;
};

/** The event that carries an operator's command to the actor. */
export type CommandEvent = (order: {
  readonly requestId: string;
  readonly operationId: string;
  readonly time: string;
}) => ActorEvent;
export type Commands = Readonly<Partial<Record<OperatorCommand, CommandEvent>>>;

export type ActorConfig<Machine extends AnyStateMachine> = {
  readonly kind: string;
  /** The author's number of the machine; raise it together with `upgrade` and `released`. */
  readonly version: number;
  readonly machine: Machine;
  readonly input: Schema;
  readonly context: Schema;
  /** Every event that may arrive as mail; anything else is refused as forbidden. */
  readonly events: Schema;
  readonly effects: Readonly<Record<string, AnyEffect>>;
  readonly view: (snapshot: SnapshotFrom<Machine>) => unknown;
  readonly upgrade?: Upgrade;
  /** Oldest first; `upgrade` is asked only about rows of these. Absent: none, as for a machine that only tests know. */
  readonly released?: readonly Release[];
  /** What operators may ask of it; absent: nothing. */
  readonly commands?: Commands;
  /** Which processes run it; default `main`. Part of its stored shard: another pool for stored actors needs a migration. */
  readonly pool?: Pool;
};

export type ActorDefinition = {
  readonly kind: string;
  readonly version: number;
  readonly machine: AnyStateMachine;
  readonly input: Schema;
  readonly context: Schema;
  readonly events: Schema;
  readonly effects: Readonly<Record<string, AnyEffect>>;
  readonly view: (snapshot: AnyMachineSnapshot) => unknown;
  readonly upgrade: Upgrade | null;
  readonly released: readonly Release[];
  readonly commands: Commands;
  readonly pool: Pool;
  /** Hash of the machine's structure; stored on every row it writes. */
  readonly defHash: string;
};

/** Registers a kind of actor. Throws a list of everything the runtime does not support, each with what to write instead. */
export function defineActor<Machine extends AnyStateMachine>(config: ActorConfig<Machine>): ActorDefinition {
  validateMachine(config.kind, config.machine, config.effects);
  noticeGuards(config.machine);
  return {
    kind: config.kind,
    version: config.version,
    machine: config.machine,
    input: config.input,
    context: config.context,
    events: config.events,
    effects: config.effects,
    view: config.view as (snapshot: AnyMachineSnapshot) => unknown,
    upgrade: config.upgrade ?? null,
    released: config.released ?? [],
    commands: config.commands ?? {},
    pool: config.pool ?? 'main',
    defHash: hashDefinition(config.machine),
  };
}

/** An `upgrade` for changes that leave every stored state and context valid. */
export const keepState: Upgrade = (stored) => ({
  value: stored.value,
  historyValue: stored.historyValue,
  context: stored.context,
});
