import type { Request } from './requests.ts';

/** What a rule decided: the state it leaves and what it asks for. Settling twice gives the same. */
export type Settleable<State> = { settle(): { readonly state: State; readonly requests: readonly Request[] } };

/**
 * The two actions that carry a rule out: first its requests, seen from the state before, then its state.
 * The machine names them `carryOut` (`requestAction`) and `adopt` (an `assign` of its parameter).
 */
export function ruleActions<State, Event>(rule: (state: State, event: Event) => Settleable<State>) {
  type Args = { context: State; event: Event };
  return [
    { type: 'carryOut' as const, params: ({ context, event }: Args) => rule(context, event).settle().requests },
    { type: 'adopt' as const, params: ({ context, event }: Args) => rule(context, event).settle().state },
  ];
}
