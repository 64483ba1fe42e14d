import { handOfDesk, HANDS_OF_A_DESK } from '../actors/desk-actor.ts';
import { LEDGER } from '../actors/hand-actor.ts';

/** Actors that live from the start and require no fence. */
export const HANDS = ['hand/a', 'hand/b', 'hand/c'] as const;
export const DESKS = ['desk/x', 'desk/y'] as const;
export const PROJECT = 'p';

/** Names that desks may give. */
export const DESK_HANDS: readonly string[] = DESKS.flatMap((desk) =>
  [1, 2, 3, 4, 5].flatMap((generation) =>
    Array.from({ length: HANDS_OF_A_DESK }, (_, index) => handOfDesk(desk.slice(5), generation, index)),
  ),
);

/** Who is born at the start of every run, and with what input. */
export const FIRST_ACTORS: readonly (readonly [string, object])[] = [
  [LEDGER, {}],
  ...DESKS.map((desk) => [desk, { id: desk.slice(5) }] as const),
  ...HANDS.map((hand) => [hand, { name: hand, desk: null }] as const),
];
