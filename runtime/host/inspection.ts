// Looking into actors and acting on them, over the store and the definitions.
//
//   IX1  A watcher costs the actors nothing they wait for (inspection-hints.ts).
//   IX2  An operator's action is recorded before it is carried out, and carried out once per request id (operator-orders.ts).

import type { ActorAddress } from '#contracts/envelope.ts';
import type { ActorRow, Json, LoadedActor } from '#contracts/ports/actor-store.ts';
import type { InspectedActor, Inspection } from '#contracts/ports/inspection.ts';
import type { ActorDefinition } from '#runtime/core/define-actor.ts';
import { commandsOf, machineConfig, machineGraph } from '#runtime/core/machine-graph.ts';
import { readSnapshot, restoreActor } from '#runtime/core/restore-actor.ts';
import { shardIn } from '#runtime/core/shard.ts';
import { readStoredSnapshot } from '#runtime/core/stored-snapshot.ts';
import { kindOf, type HostParts } from './host-parts.ts';
import { InspectionWatches } from './inspection-watches.ts';
import { commandActor, redriveLetter, type InspectionParts } from './operator-orders.ts';

const COUNTED_MAIL = 10_000;

export function createInspection(all: InspectionParts): Inspection & { stop(): void } {
  const { parts } = all;
  const { store, definitions } = parts;
  const watches = new InspectionWatches(parts);
  return {
    async listActors(project, filter) {
      const rows = await store.listActors(project, filter);
      return rows.map((row) => ({ row, state: stateOf(row) }));
    },
    readActor: (project, address) => readActor(parts, project, address),
    readTransitions: (project, address, after, limit) => store.readTransitions(project, address, after, limit),
    readProjectLog: (project, after, limit) => store.readProjectLog(project, after, limit),
    readMail: (project, address, page) =>
      store.readMail(project, address, shardIn(parts.poolOf, project, address), page),
    listSetAside: (project, kind, page) => store.listSetAside(project, kind, page),
    listOperatorActions: (project, page) => store.listOperatorActions(project, page),
    machine: (kind) => mapDefinition(definitions.get(kind), machineGraph),
    machineConfig: (kind) => mapDefinition(definitions.get(kind), machineConfig),
    command: (order, timeoutMs) => commandActor(all, order, timeoutMs),
    redrive: (order) => redriveLetter(all, order),
    watchProject: (project, listener) => watches.project(project, listener),
    watchActor: (project, address, listener) => watches.actor(project, address, listener),
    stop: () => watches.stop(),
  };
}

function mapDefinition<T>(definition: ActorDefinition | undefined, map: (definition: ActorDefinition) => T): T | null {
  return definition === undefined ? null : map(definition);
}

async function readActor(parts: HostParts, project: string, address: ActorAddress): Promise<InspectedActor | null> {
  const { store, definitions } = parts;
  const [loaded] = await store.loadActors(project, [address]);
  if (loaded === undefined) return null;
  const { row, timers, effects } = loaded;
  const definition = definitions.get(kindOf(address));
  const stored = readStoredSnapshot(row.snapshot);
  return {
    row,
    state: stored?.state.value ?? null,
    context: stored?.state.context ?? null,
    parent: stored?.parent ?? null,
    view: definition === undefined ? null : viewOf(definition, row),
    timers,
    effects,
    waitingMail: await store.countMail(project, address, row.shard, COUNTED_MAIL),
    parked: definition === undefined ? `no code here knows '${kindOf(address)}'` : parkedOf(definition, loaded),
    commands: definition === undefined ? [] : commandsOf(definition),
  };
}

function stateOf(row: ActorRow): Json {
  return readStoredSnapshot(row.snapshot)?.state.value ?? null;
}

function viewOf(definition: ActorDefinition, row: ActorRow): Json {
  const snapshot = readSnapshot(definition, row);
  return snapshot === null ? null : (definition.view(snapshot) as Json);
}

/** Asked of the present code: a row that another version parked may continue here. */
function parkedOf(definition: ActorDefinition, loaded: LoadedActor): string | null {
  const restored = restoreActor(definition, loaded);
  return restored.kind === 'needs_migration' ? restored.reason : null;
}
