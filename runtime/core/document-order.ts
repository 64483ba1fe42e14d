import type { AnyMachineSnapshot, AnyStateNode } from 'xstate';

type StateValue = AnyMachineSnapshot['value'];

/**
 * Puts active regions in the order of the machine's definition. XState keeps them in the order in which they were entered and
 * loses that order with a restart, so that two regions that act on the same event would act in another order afterwards.
 */
export function orderRegions(snapshot: AnyMachineSnapshot): AnyMachineSnapshot {
  const nodes = snapshot._nodes as readonly AnyStateNode[];
  if (!nodes.some(({ type }) => type === 'parallel')) return snapshot;
  snapshot._nodes = [...nodes].sort((a, b) => a.order - b.order);
  snapshot.value = orderValue(snapshot.machine.root, snapshot.value as StateValue);
  return snapshot;
}

function orderValue(node: AnyStateNode, value: StateValue): StateValue {
  if (typeof value === 'string') return value;
  const ordered: Record<string, StateValue> = {};
  for (const [key, child] of Object.entries(node.states as Record<string, AnyStateNode>)) {
    const inside = value[key];
    if (inside !== undefined) ordered[key] = orderValue(child, inside as StateValue);
  }
  return ordered;
}
