// One schedule, from an empty store to rest.

import { SeededRandomness } from '#tests/support/harness/seeded-randomness.ts';
import { checkRest, isAtRest } from '../oracle/rest.ts';
import type { Violation } from '../oracle/violation.ts';
import { SimWorld } from '../world/sim-world.ts';
import { perform } from './perform.ts';
import type { Schedule } from './schedule.ts';

/** Everything works again: within this time all work must be done. */
const REST_MS = 90_000;
const REST_STEP_MS = 500;
const EVERYTHING = 4000;

export type Outcome = {
  readonly violation: Violation | null;
  readonly happened: number;
  /** What really happened, by kind: faults, verdicts, effects. */
  readonly counts: Readonly<Record<string, number>>;
};

export async function runSchedule(schedule: Schedule, trace?: (line: string) => void): Promise<Outcome> {
  const world = new SimWorld(schedule);
  if (trace !== undefined) world.trace = trace;
  try {
    await world.begin();
    world.inOrder = schedule.inOrder;
    for (const step of schedule.steps) {
      if (world.violation !== null) break;
      world.dice = new SeededRandomness(step.dice);
      world.trace(JSON.stringify(step));
      await perform(world, step);
      await world.run(step.after);
      world.oracle.messages.scan();
    }
    if (world.violation === null) await comeToRest(world, schedule.seed);
    return { violation: world.violation, happened: world.happened, counts: countsOf(world) };
  } finally {
    world.end();
  }
}

async function comeToRest(world: SimWorld, seed: number): Promise<void> {
  world.trace('everything works again');
  world.dice = new SeededRandomness(seed);
  world.farEnd.isCalm = true;
  world.wire.drop = world.wire.duplicate = 0;
  world.slots.forEach((slot) => {
    if (slot === null) return;
    slot.process.isCut = false;
    slot.process.faults = [];
    slot.process.thaw();
  });
  const end = world.happenings.nowMs + REST_MS;
  world.reboot();
  await world.runDry();
  while (world.violation === null && !isAtRest(world) && world.happenings.nowMs < end) {
    await world.advance(REST_STEP_MS, () => EVERYTHING);
    await world.runDry();
    world.reboot();
  }
  if (world.violation === null) checkRest(world);
}

function countsOf(world: SimWorld): Record<string, number> {
  const { commits, effects, messages } = world.oracle;
  return {
    ...Object.fromEntries(world.faults),
    ...commits.verdicts,
    'hint dropped': world.wire.dropped,
    'hint duplicated': world.wire.duplicated,
    'effect sent': effects.started,
    'effect unknown': effects.unknown,
    'message taken': messages.taken,
    'row refused': world.oracle.refusedRows,
    quarantined: world.store.tables.quarantine.length,
    'dead letter': world.store.tables.deadLetters.length,
  };
}
