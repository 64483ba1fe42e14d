import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyMachineSnapshot } from 'xstate';
import type { LoadedActor } from '#contracts/ports/actor-store.ts';
import type { ActorDefinition, Release } from '#runtime/core/define-actor.ts';
import type { ActorModel, Scenario } from './actor-model.ts';
import { shortestPaths, type Move } from './shortest-paths.ts';
import { StoredActor } from './stored-actor.ts';

/** One actor as a release left it in the database. */
export type CorpusEntry = {
  readonly kind: string;
  readonly release: Release;
  readonly scenario: string;
  /** How it came there, by type. */
  readonly way: readonly string[];
  readonly loaded: LoadedActor;
};

const FOLDER = join(import.meta.dirname, '..', '..', 'fixtures', 'snapshots');
/** Of one state of the machine; they differ in context, timers or effects. */
const ENTRIES_PER_STATE = 3;
const START_MS = Date.UTC(2026, 0, 1);

export const corpusFolder = (kind: string, version: number): string => join(FOLDER, kind, `v${version}`);

export function readCorpus(kind: string, version: number): CorpusEntry[] {
  const folder = corpusFolder(kind, version);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).sort();
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as CorpusEntry);
}

/** Writes the rows of every state of the current release. A release that has its files keeps them: they are what was. */
export function writeCorpus(model: ActorModel): number {
  const { kind, version } = model.definition;
  const folder = corpusFolder(kind, version);
  if (existsSync(folder)) return 0;
  mkdirSync(folder, { recursive: true });
  const entries = corpusOf(model);
  for (const [name, entry] of entries)
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(entry, null, 1)}\n`);
  return entries.size;
}

function corpusOf(model: ActorModel): Map<string, CorpusEntry> {
  const entries = new Map<string, CorpusEntry>();
  const { definition } = model;
  const release = definition.released.at(-1);
  if (release?.defHash !== definition.defHash) throw new RangeError(`'${definition.kind}' as it is was not released`);
  const found = model.scenarios.flatMap((scenario) =>
    shortestPaths(model, scenario).map((path) => ({ scenario, path, state: nameOfState(path.end.value) })),
  );
  for (const state of new Set(found.map((one) => one.state))) {
    const alike = spread(found.filter((one) => one.state === state));
    alike.forEach(({ scenario, path }, index) => {
      const { loaded } = replay(definition, scenario, path.moves);
      const way = path.moves.map(nameOfMove);
      entries.set(`${state}-${index + 1}`, { kind: definition.kind, release, scenario: scenario.name, way, loaded });
    });
  }
  return entries;
}

/** The first, the last and what lies evenly between them. */
function spread<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length <= ENTRIES_PER_STATE) return items;
  const gap = (items.length - 1) / (ENTRIES_PER_STATE - 1);
  return Array.from({ length: ENTRIES_PER_STATE }, (_, index) => items[Math.round(index * gap)] as Item);
}

/** Where a durable actor stands after these moves. */
function replay(definition: ActorDefinition, scenario: Scenario, moves: readonly Move[]): StoredActor {
  const [stored] = StoredActor.create(definition, 'one', scenario.input, START_MS);
  for (const move of moves) makeAlone(stored, move);
  return stored;
}

/** A move of a durable actor without a live one beside it. Time stands wherever the last timer left it. */
export function makeAlone(stored: StoredActor, move: Move): void {
  const { timers, effects } = stored.loaded;
  if (move.move === 'mail') return void stored.mail(move.event, START_MS);
  if (move.move === 'settle') {
    const effect = effects.find(({ invokeId }) => invokeId === move.invokeId);
    if (effect === undefined) throw new RangeError(`there is no effect '${move.invokeId}'`);
    return void stored.settle(effect, move.result, START_MS);
  }
  const timer = timers.find(({ timerId }) => timerId === move.timerId);
  if (timer === undefined) throw new RangeError(`there is no timer '${move.timerId}'`);
  stored.fire(timer, timer.dueAtMs);
}

function nameOfMove(move: Move): string {
  if (move.move === 'mail') return move.event.type;
  return move.move === 'timer' ? move.timerId : `${move.invokeId} ${move.result.kind}`;
}

function nameOfState(value: AnyMachineSnapshot['value']): string {
  const bare = JSON.stringify(value).replace(/[{}"]/gu, '');
  return bare.replace(/[:,]/gu, '.');
}
