// Troubles that chance alone brings together too seldom: each is the shape of a mistake that was, or could be, made.
// Which worker, which actor and how late is left to the dice.

import type { SeededRandomness } from '#tests/support/harness/seeded-randomness.ts';
import type { StoreCall } from '../world/sim-process.ts';
import { HANDS } from './names.ts';
import type { Verb } from './schedule.ts';

type Die = SeededRandomness;
type Cast = { readonly die: Die; readonly worker: number; readonly others: readonly number[]; readonly hand: string };
type Story = (cast: Cast) => Verb[];

const one = <T>(die: Die, from: readonly T[]): T => from[die.below(from.length)] as T;
const advance = (ms: number): Verb => ({ verb: 'advance', ms });
const mail = (worker: number, to: string, event: string): Verb => ({
  verb: 'mail',
  worker,
  to,
  event: { type: `hand.${event}` },
});
const tell = (worker: number, from: string, to: string): Verb => ({
  verb: 'mail',
  worker,
  to: from,
  event: { type: 'hand.tell', to },
});
const slow = (worker: number, call: StoreCall, ms: number): Verb => ({ verb: 'fault', worker, call, how: 'slow', ms });
const stall = (worker: number, call: StoreCall, ms: number): Verb => ({
  verb: 'fault',
  worker,
  call,
  how: 'stall',
  ms,
});
const repeat = (count: number, verb: () => Verb): Verb[] => Array.from({ length: count }, verb);

/** Away for so long that others took over, and back. */
const absence = ({ worker, die }: Cast): Verb[] => [
  { verb: 'freeze', worker },
  advance(one(die, [3100, 4100])),
  { verb: 'thaw', worker },
];

const STORIES: readonly Story[] = [
  /** What due effects were is heard after the shard went and came back. */
  ({ die, worker, hand }) => [
    stall(worker, 'dispatchEffect', one(die, [700, 1200])),
    slow(worker, 'dueEffects', one(die, [2500, 4000])),
    mail(worker, hand, 'pay'),
    advance(one(die, [700, 1600])),
    { verb: 'usurp', worker },
    mail(worker, hand, 'tick'),
    advance(one(die, [1100, 2100])),
    advance(2500),
  ],
  /** A dispatch arrives after the effect that it was for was put back. */
  ({ die, worker, hand }) => [
    { verb: 'fault', worker, call: 'dispatchEffect', how: 'later', ms: one(die, [300, 450, 600]) },
    mail(worker, hand, 'fetch'),
    ...repeat(3, () => advance(one(die, [150, 250]))),
  ],
  /** Several messages of one sender are in a commit that does not land. */
  ({ die, worker, others, hand }) => [
    ...[worker, ...others].map((at): Verb => ({
      verb: 'fault',
      worker: at,
      call: 'commit',
      how: one(die, ['before', 'later']),
      ms: 700,
    })),
    ...repeat(2 + die.below(4), () => tell(worker, hand, one(die, HANDS))),
    ...[worker, ...others].map((at): Verb => ({ verb: 'fault', worker: at, call: 'commit', how: 'before', ms: 0 })),
    advance(150),
    advance(700),
  ],
  /** A turn waits for mail ids while its shard goes and comes back. */
  ({ die, worker, hand }) => [
    { verb: 'usurp', worker },
    mail(worker, hand, 'tick'),
    advance(1100),
    stall(worker, 'reserveMailIds', one(die, [1200, 2200])),
    tell(worker, hand, hand),
    advance(150),
    { verb: 'usurp', worker },
    mail(worker, one(die, HANDS), 'fetch'),
    advance(1100),
    mail(worker, hand, 'tick'),
    advance(1100),
  ],
  /** A post, or a reading, is answered after another worker took the mail. */
  (cast) => [
    slow(cast.worker, one(cast.die, ['post', 'loadMail', 'commit']), one(cast.die, [6500, 8000])),
    mail(cast.worker, cast.hand, 'tick'),
    ...absence(cast),
    advance(2100),
    advance(2100),
  ],
  /** A full reading misses mail that was stored after it began. */
  ({ die, worker, others, hand }) => [
    ...[worker, ...others].map((at) => slow(at, 'loadMail', one(die, [150, 700]))),
    { verb: 'usurp', worker },
    mail(worker, hand, 'tick'),
    advance(1100),
    ...[worker, ...others].map((at) => slow(at, 'loadMail', one(die, [150, 700]))),
    tell(worker, hand, hand),
    tell(worker, hand, hand),
    advance(150),
    tell(worker, hand, hand),
  ],
  /** A take-over from itself, after another worker had the shard and died. */
  (cast) => [
    { verb: 'fault', worker: cast.worker, call: 'commit', how: one(cast.die, ['after', 'later', 'before']), ms: 700 },
    slow(cast.worker, 'loadActors', one(cast.die, [150, 4000])),
    mail(cast.others[0] ?? 0, cast.hand, 'tick'),
    tell(cast.others[0] ?? 0, cast.hand, cast.hand),
    { verb: 'freeze', worker: cast.worker },
    advance(4100),
    ...repeat(2, () => tell(cast.others[0] ?? 0, one(cast.die, HANDS), one(cast.die, HANDS))),
    mail(cast.others[0] ?? 0, cast.hand, one(cast.die, ['pay', 'fetch', 'tick'])),
    ...cast.others.map((worker): Verb => ({ verb: one(cast.die, ['kill', 'freeze']), worker })),
    advance(3100),
    { verb: 'thaw', worker: cast.worker },
    advance(150),
    advance(1500),
  ],
  /** A dispatch that surely was not sent, then another worker sends it and dies. */
  (cast) => [
    { verb: 'fault', worker: cast.worker, call: 'dispatchEffect', how: one(cast.die, ['before', 'later']), ms: 10 },
    mail(cast.worker, cast.hand, 'pay'),
    advance(10),
    advance(50),
    { verb: 'freeze', worker: cast.worker },
    advance(4100),
    ...cast.others.map((worker): Verb => ({ verb: one(cast.die, ['kill', 'freeze']), worker })),
    advance(3100),
    { verb: 'thaw', worker: cast.worker },
    advance(1500),
    advance(1500),
  ],
  /** Another worker armed a timer, which comes due where nobody knows of it. */
  (cast) => [
    mail(cast.worker, cast.hand, 'cancel'),
    mail(cast.worker, cast.hand, 'tick'),
    { verb: 'freeze', worker: cast.worker },
    advance(4100),
    mail(cast.others[0] ?? 0, cast.hand, 'wait'),
    advance(1500),
    ...cast.others.map((worker): Verb => ({ verb: 'freeze', worker })),
    advance(700),
    stall(cast.worker, 'liveWorkers', 2500),
    { verb: 'thaw', worker: cast.worker },
    ...repeat(3, () => advance(700)),
  ],
];

/** Whose shards the hands are in as long as nobody left: most stories are about an actor and its owner. */
const FIRST_OWNERS: Readonly<Record<string, number>> = { 'hand/a': 2, 'hand/b': 1, 'hand/c': 1 };

export function tellStory(die: Die, slots: number): Verb[] {
  const hand = one(die, HANDS);
  const owner = FIRST_OWNERS[hand] ?? 0;
  const worker = owner < slots && die.next() < 0.8 ? owner : die.below(slots);
  const others = Array.from({ length: slots }, (_, index) => index).filter((index) => index !== worker);
  const story = one(die, STORIES);
  return story({ die, worker, others, hand });
}
