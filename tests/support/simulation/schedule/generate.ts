// From a seed to a schedule.
//
// Every schedule draws its own few kinds of trouble and its own limits: a run in which everything happens a little finds less
// than many runs in which few things happen a lot.

import type { HostLimits } from '#runtime/host/limits.ts';
import { SeededRandomness } from '#tests/support/harness/seeded-randomness.ts';
import type { FaultKind, StoreCall } from '../world/sim-process.ts';
import { LEDGER } from '../actors/hand-actor.ts';
import { DESK_HANDS, DESKS, HANDS } from './names.ts';
import { slotsOf, type Schedule, type Step, type Verb } from './schedule.ts';
import { tellStory } from './stories.ts';

export const DEFAULT_WORKERS = 3;
const SHORTEST = 10;
const LONGEST = 60;

const CALLS: readonly StoreCall[] = [
  ...['commit', 'commit', 'commit', 'dispatchEffect', 'dispatchEffect', 'completeEffect', 'retryEffect'],
  ...['loadMail', 'loadActors', 'post', 'beat', 'acquireShards', 'releaseShards', 'dueEffects', 'dueTimers'],
  ...['reserveMailIds', 'countAttempt', 'setAsideMail', 'leases', 'readFence'],
] as readonly StoreCall[];
const KINDS: readonly FaultKind[] = ['before', 'after', 'later', 'slow', 'stall', 'kill'];
const HAND_EVENTS = ['fetch', 'pay', 'wait', 'cancel', 'tick', 'fetch', 'pay', 'wait', 'tick', 'order'];
const RARE_EVENTS = ['explode', 'finish', 'spoil'];

type Die = SeededRandomness;
type Trouble = (die: Die, slots: number) => Verb[];

const one = <T>(die: Die, from: readonly T[]): T => from[die.below(from.length)] as T;
const someMs = (die: Die): number => one(die, [10, 150, 700, 2500, 4000]);
const somebody = (die: Die): string => (die.next() < 0.6 ? one(die, HANDS) : one(die, DESK_HANDS.slice(0, 12)));

const TROUBLES: Readonly<Record<string, Trouble>> = {
  kill: (die, slots) => [{ verb: 'kill', worker: die.below(slots) }],
  restart: (die, slots) => [restart(die, die.below(slots))],
  freeze: (die, slots) => [{ verb: 'freeze', worker: die.below(slots) }],
  thaw: (die, slots) => [{ verb: 'thaw', worker: die.below(slots) }],
  /** A zombie: away for so long that others took its shards. */
  zombie: (die, slots) => {
    const worker = die.below(slots);
    return [
      { verb: 'freeze', worker },
      { verb: 'advance', ms: one(die, [1500, 3100, 4500]) },
      { verb: 'thaw', worker },
    ];
  },
  cut: (die, slots) => [{ verb: die.next() < 0.4 ? 'cut' : 'mend', worker: die.below(slots) }],
  sever: (die, slots) => [{ verb: 'sever', worker: die.below(slots) }],
  usurp: (die, slots) => [{ verb: 'usurp', worker: die.below(slots) }],
  leave: (die, slots) => [{ verb: 'leave', worker: die.below(slots) }],
  fault: (die, slots) => [fault(die, slots)],
  faults: (die, slots) => [fault(die, slots), fault(die, slots)],
  wire: (die) => [{ verb: 'wire', drop: one(die, [0, 0.3, 1]), duplicate: one(die, [0, 0.5]) }],
  hint: (die) => [{ verb: 'hint', to: one(die, HANDS) }],
  redeliver: (die, slots) => [{ verb: 'redeliver', worker: die.below(slots), pick: die.below(40) }],
};
const TROUBLE_NAMES = Object.keys(TROUBLES);
/** Share of the schedules that have a story, and of their draws that are one. */
const WITH_STORY = 0.5;
const STORY = 0.12;

function restart(die: Die, worker: number): Verb {
  return { verb: 'restart', worker, skewMs: one(die, [0, 0, -5000, 700, 20_000]), isRenamed: die.next() < 0.3 };
}

function fault(die: Die, slots: number): Verb {
  return { verb: 'fault', worker: die.below(slots), call: one(die, CALLS), how: one(die, KINDS), ms: someMs(die) };
}

function handMail(die: Die): Verb {
  const to = somebody(die);
  const roll = die.next();
  if (roll < 0.2)
    return { verb: 'mail', worker: die.below(4), to, event: { type: 'hand.tell', to: one(die, HANDS) as string } };
  const name = roll < 0.28 ? one(die, RARE_EVENTS) : one(die, HAND_EVENTS);
  return { verb: 'mail', worker: die.below(4), to, event: { type: `hand.${name}` } };
}

function work(die: Die): Verb[] {
  const roll = die.next();
  const worker = die.below(4);
  if (roll < 0.55) return [handMail(die)];
  // a burst, so that turns fold several messages
  if (roll < 0.7) return Array.from({ length: 2 + die.below(5) }, () => handMail(die));
  if (roll < 0.76) return [{ verb: 'ask', worker, to: one(die, HANDS), event: { type: 'hand.tick' } }];
  if (roll < 0.79) return [{ verb: 'stop', worker, to: one(die, HANDS), event: { type: 'hand.order' } }];
  if (roll < 0.81) return [{ verb: 'mail', worker, to: LEDGER, event: { type: 'ledger.nothing' } }];
  const to = one(die, DESKS);
  if (roll < 0.88) return [{ verb: 'mail', worker, to, event: { type: 'desk.open' } }];
  if (roll < 0.93) return [{ verb: 'mail', worker, to, event: { type: 'desk.again' } }];
  return [{ verb: 'stop', worker, to, event: { type: 'desk.stop' } }];
}

function someLimits(die: Die): Partial<HostLimits> {
  return {
    foldedMessages: one(die, [2, 32, 32]),
    batchEntries: one(die, [1, 3, 128]),
    writers: one(die, [1, 2, 4]),
    lingerMs: one(die, [0, 0, 3]),
    queuedPerActor: one(die, [2, 64, 64]),
    loadedMail: one(die, [4, 1024, 1024]),
    residentActors: one(die, [3, 10_000, 10_000]),
    runningEffects: one(die, [1, 64, 64]),
    firedTimers: one(die, [1, 256]),
  };
}

export function generateSchedule(seed: number, workers: number = DEFAULT_WORKERS): Schedule {
  const die = new SeededRandomness(Math.imul(seed, 0x9e3779b1) ^ 0x51ed270b);
  const slots = slotsOf({ workers });
  const troubles = Array.from({ length: 1 + die.below(5) }, () => one(die, TROUBLE_NAMES));
  const troubled = 0.15 + 0.5 * die.next();
  const length = SHORTEST + die.below(LONGEST - SHORTEST);
  const longest = one(die, [4, 12, 30]);
  const story = die.next() < WITH_STORY ? STORY : 0;
  const steps: Step[] = [];
  while (steps.length < length) {
    const verbs = die.next() < story ? tellStory(die, slots) : draw(die, troubles, troubled, slots);
    for (const verb of verbs)
      steps.push({ ...verb, after: die.below(longest), dice: Math.floor(die.next() * 2 ** 32) });
  }
  const inOrder = one(die, [0, 0.5, 0.9]);
  return { seed, workers, inOrder, limits: someLimits(die), steps };
}

function draw(die: Die, troubles: readonly string[], troubled: number, slots: number): Verb[] {
  const roll = die.next();
  if (roll < 0.08) return [{ verb: 'advance', ms: someMs(die) }];
  if (roll < 0.08 + troubled) return TROUBLES[one(die, troubles)]?.(die, slots) ?? [];
  return work(die);
}
