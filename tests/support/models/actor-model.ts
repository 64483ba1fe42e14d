import type { AnyMachineSnapshot, AnyStateNode } from 'xstate';
import { failure, type Failure } from '#contracts/errors.ts';
import type { EffectResult } from '#contracts/effect.ts';
import type { ActorEvent } from '#contracts/envelope.ts';
import type { Json } from '#contracts/json.ts';
import type { ActorDefinition } from '#runtime/core/define-actor.ts';

/** One way of coming into the world. */
export type Scenario = { readonly name: string; readonly input: unknown };

type EventsFor<Context> = (context: Context, snapshot: AnyMachineSnapshot) => readonly ActorEvent[];
type OutputsFor<Context> = (context: Context) => readonly Json[];

/** What the far ends of one kind of actor may say, small enough to try all of it. */
export type ActorModel = {
  readonly definition: ActorDefinition;
  readonly scenarios: readonly Scenario[];
  /** By type: every event the machine names has to be here. None at all in a state means: nobody would send it there. */
  readonly mail: Readonly<Record<string, EventsFor<never>>>;
  /** By invoke id: what the effect may end with. It may always fail too. */
  readonly outputs: Readonly<Record<string, OutputsFor<never>>>;
  readonly failures: readonly Failure[];
  /** Mail of people and operators, which comes whenever it likes. */
  readonly interrupts: readonly string[];
  /** Mail on which the machine throws. */
  readonly defects: readonly string[];
  /** States with the same key are one state of the model; what only counts or numbers is left out of it. */
  readonly keyOf: (context: never) => unknown;
};

type ModelOptions<Context> = {
  readonly definition: ActorDefinition;
  readonly scenarios: readonly Scenario[];
  readonly mail?: Readonly<Record<string, EventsFor<Context>>>;
  readonly outputs?: Readonly<Record<string, OutputsFor<Context>>>;
  readonly failures?: readonly Failure[];
  readonly interrupts?: readonly string[];
  readonly defects?: readonly string[];
  readonly keyOf?: (context: Context) => unknown;
};

/** Throws when the machine names an event or an invoke that the model says nothing about. */
export function defineModel<Context>(options: ModelOptions<Context>): ActorModel {
  const model: ActorModel = {
    mail: {},
    outputs: {},
    failures: [failure('effect.failed', 'the far end said no')],
    interrupts: [],
    defects: [],
    keyOf: (context: Context) => context,
    ...options,
  };
  const { kind, machine } = model.definition;
  const missing = [
    ...machine.events.filter((type: string) => !type.startsWith('xstate.') && model.mail[type] === undefined),
    ...invokeIds(machine.root).filter((id) => model.outputs[id] === undefined),
  ];
  if (missing.length > 0) throw new RangeError(`the model of '${kind}' says nothing about ${missing.join(', ')}`);
  return model;
}

export function modelOf(models: readonly ActorModel[], kind: string): ActorModel {
  const found = models.find((model) => model.definition.kind === kind);
  if (found === undefined) throw new RangeError(`'${kind}' has no model in tests/support/models`);
  return found;
}

export const doneWith = (output: Json): EffectResult => ({ kind: 'done', output: output as never });
export const failedWith = (reason: Failure): EffectResult => ({ kind: 'failed', failure: reason });

/** All mail that may come in this state, whether the state handles it or not. */
export function mailFor(model: ActorModel, snapshot: AnyMachineSnapshot): ActorEvent[] {
  return Object.values(model.mail).flatMap((events) => events(snapshot.context as never, snapshot));
}

export const hasEnd = (model: ActorModel): boolean =>
  Object.values(model.definition.machine.root.states).some((state: AnyStateNode) => state.type === 'final');

function invokeIds(node: AnyStateNode): string[] {
  return [
    ...node.invoke.map(({ id }) => id),
    ...Object.values(node.states).flatMap((child) => invokeIds(child as AnyStateNode)),
  ];
}
