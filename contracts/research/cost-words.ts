import { addMinor, compareMinor, majorOf } from './minor.ts';
import type { MinorAmount } from './money.ts';

type TaskCost = {
  readonly currency: string;
  readonly settled_minor: MinorAmount;
  readonly unknown_calls: number;
  readonly reserved_minor?: MinorAmount | undefined;
};

/** What can be said of a cost: an amount, of which nothing, all or only the least is known. */
export type SaidCost = {
  readonly currency: string;
  /** In the unit that people pay in. */
  readonly amount: string;
  /** Calls of unknown cost come on top: the amount is the least it was. */
  readonly unknownCalls: number;
  /** Held for calls in flight, in the unit that people pay in; null: nothing is. */
  readonly reserved: string | null;
};

/** Null: it costs nothing, and that is certain. */
export function sayCost({ currency, settled_minor, unknown_calls, reserved_minor = '0' }: TaskCost): SaidCost | null {
  const isFree = unknown_calls === 0 && compareMinor(addMinor(settled_minor, reserved_minor), '0') === 0;
  if (isFree) return null;
  return {
    currency,
    amount: majorOf(settled_minor, currency),
    unknownCalls: unknown_calls,
    reserved: compareMinor(reserved_minor, '0') === 0 ? null : majorOf(reserved_minor, currency),
  };
}

/** For programs and terminals: `0.12 USD`, or `≥ 0.12 USD + unknown (2 calls)`. An unknown cost is never nothing. */
export function costInWords(cost: TaskCost): string {
  const said = sayCost(cost);
  if (said === null) return 'none';
  const { currency, amount, unknownCalls, reserved } = said;
  const held = reserved === null ? '' : `, ${reserved} ${currency} reserved`;
  if (unknownCalls === 0) return `${amount} ${currency}${held}`;
  return `≥ ${amount} ${currency} + unknown (${unknownCalls} ${unknownCalls === 1 ? 'call' : 'calls'})${held}`;
}
