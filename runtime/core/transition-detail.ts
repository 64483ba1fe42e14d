// What a row of the transition log tells beside its columns. It is written with every step, so it is short:
//
//   1  A value of the context or the event beyond 4 kB is left out; `omitted` says how long it was. The snapshot has the
//      context's values, a dead letter the event's.
//   2  What follows from other columns (the cause, the place) is not repeated.
//   3  Absent keys mean "nothing": no edge, no refused guard, no removed key.

import type { AnyMachineSnapshot } from 'xstate';
import type { Json } from '#contracts/json.ts';
import type { StepInput } from './actor-state.ts';
import type { RefusedGuard } from './guard-record.ts';
import { isLarger } from './json-size.ts';
import type { Edge } from './scope.ts';

export type Detail = { readonly [key: string]: Json };

const MAX_VALUE_CHARACTERS = 4096;

export type Taken = {
  readonly before: AnyMachineSnapshot | null;
  readonly after: AnyMachineSnapshot;
  readonly edges: readonly Edge[];
  readonly refused: readonly RefusedGuard[];
  readonly logs: readonly Json[];
  readonly input: StepInput;
};

type Context = Readonly<Record<string, Json | undefined>>;
type Kept = { readonly values: Record<string, Json>; readonly omitted: Record<string, number> | null };

/** Of a message that the machine handled. */
export function describeTaken({ before, after, edges, refused, logs, input }: Taken): Detail {
  const was = (before?.context ?? {}) as Context;
  const is = after.context as Context;
  const context = keepSmall(is, (key) => was[key] !== is[key]);
  const removed = was === is ? [] : Object.keys(was).filter((key) => was[key] !== undefined && is[key] === undefined);
  const event = eventOf(input);
  return {
    edges: edges as unknown as Json,
    context: context.values,
    ...(removed.length === 0 ? {} : { removed }),
    ...(refused.length === 0 ? {} : { refused: refused as unknown as Json }),
    ...(event === null ? {} : { event: event.values }),
    ...(logs.length === 0 ? {} : { logs }),
    ...omittedOf(context, event),
  };
}

/** Of a message that changed nothing: why, and what it was. */
export function describeUntaken(input: StepInput, reason: Json, refused: readonly RefusedGuard[]): Detail {
  const event = eventOf(input);
  return {
    ...(reason === null ? {} : { reason }),
    ...(refused.length === 0 ? {} : { refused: refused as unknown as Json }),
    ...(event === null ? {} : { event: event.values }),
    ...omittedOf(null, event),
  };
}

function eventOf(input: StepInput): Kept | null {
  if (input.kind !== 'mail') return null;
  return keepSmall(input.envelope.event as Context, () => true);
}

function keepSmall(from: Context, isWanted: (key: string) => boolean): Kept {
  const values: Record<string, Json> = {};
  let omitted: Record<string, number> | null = null;
  for (const key of Object.keys(from)) {
    const value = from[key];
    if (value === undefined || !isWanted(key)) continue;
    if (isLarger(value, MAX_VALUE_CHARACTERS)) (omitted ??= {})[key] = JSON.stringify(value).length;
    else values[key] = value;
  }
  return { values, omitted };
}

function omittedOf(context: Kept | null, event: Kept | null): Detail {
  const ofContext = context?.omitted ?? null;
  const ofEvent = event?.omitted ?? null;
  if (ofContext === null && ofEvent === null) return {};
  return {
    omitted: {
      ...(ofContext === null ? {} : { context: ofContext }),
      ...(ofEvent === null ? {} : { event: ofEvent }),
    },
  };
}
