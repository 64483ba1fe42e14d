import type { AnyStateNode } from 'xstate';
import { OperatorCommand, type MachineGraph } from '#contracts/http/actors.ts';
import type { Json } from '#contracts/json.ts';
import type { ActorDefinition } from './define-actor.ts';
import { guardName } from './guard-record.ts';

type GraphState = MachineGraph['states'][number];
type GraphTransition = MachineGraph['transitions'][number];
type Named = { readonly type?: unknown };

/** The machine of a kind for drawing: ids are those of the log's edges. */
export function machineGraph(definition: ActorDefinition): MachineGraph {
  const { machine, kind, version, defHash } = definition;
  const nodes = [...descend(machine.root)];
  return {
    kind,
    machine_version: version,
    def_hash: defHash,
    root: machine.root.id,
    states: nodes.map((node) => graphState(definition, node)),
    transitions: nodes.flatMap(graphTransitions),
    commands: commandsOf(definition),
  };
}

export function commandsOf({ commands }: ActorDefinition): OperatorCommand[] {
  return OperatorCommand.options.filter((name) => commands[name] !== undefined);
}

/** The configuration as XState's own tools read it; functions become their names. */
export function machineConfig({ machine }: ActorDefinition): Json {
  return plain(machine.config) as Json;
}

function plain(value: unknown): unknown {
  if (typeof value === 'function') return { type: nameOf(value) };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function* descend(node: AnyStateNode): Generator<AnyStateNode> {
  yield node;
  for (const child of Object.values(node.states)) yield* descend(child as AnyStateNode);
}

function graphState({ effects }: ActorDefinition, node: AnyStateNode): GraphState {
  const initial = node.config.initial === undefined ? undefined : node.initial.target[0];
  return {
    id: node.id,
    key: node.key,
    parent: node.parent?.id ?? null,
    type: node.type,
    initial: initial?.id ?? null,
    entry: node.entry.map(nameOf).filter(isOfAuthor),
    exit: node.exit.map(nameOf).filter(isOfAuthor),
    invokes: node.invoke.map(({ id, src }) => {
      const effect = typeof src === 'string' ? effects[src] : undefined;
      return {
        id,
        src: typeof src === 'string' ? src : nameOf(src),
        class: effect?.class ?? null,
        timeout_ms: effect?.timeoutMs ?? null,
      };
    }),
  };
}

function graphTransitions(node: AnyStateNode): GraphTransition[] {
  const groups = [...node.transitions.values(), node.always ?? []];
  return groups.flatMap((group) =>
    group.map((transition, branch) => ({
      from: node.id,
      on: transition.eventType,
      to: (transition.target ?? []).map(({ id }) => id),
      branch,
      guard: transition.guard === undefined ? null : guardName(transition.guard),
      delay: delayOf(node, transition.eventType),
      actions: transition.actions.map(nameOf).filter(isOfAuthor),
    })),
  );
}

/** `xstate.after.<delay>.<state id>`; the state's own list says how it was spelled. */
function delayOf(node: AnyStateNode, eventType: string): number | string | null {
  const found = node.after.find((delayed) => delayed.eventType === eventType)?.delay;
  if (found === undefined || typeof found === 'function') return null;
  const ms = Number(found);
  return Number.isInteger(ms) ? ms : String(found);
}

/** Entering and leaving a state with a delay adds XState's own timer actions. */
function isOfAuthor(name: string): boolean {
  return name !== 'xstate.raise' && name !== 'xstate.cancel';
}

function nameOf(action: unknown): string {
  if (typeof action === 'string') return action;
  const { type } = action as Named;
  if (typeof type === 'string') return type;
  return typeof action === 'function' && action.name !== '' ? action.name : 'function';
}
