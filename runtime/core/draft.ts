// A commit being put together: one actor, several messages.
//
// Owns:     the state the actor would have, and the rows the commit would write.
// Owns not: the decision what a message does (step.ts), serialising, sending.
//
//   1  `before` is never touched; a draft can be thrown away at any time.
//   2  A row never stands both among the set and the deleted ones.

import type { FenceRequirement, FenceState } from '#contracts/effect.ts';
import type { Envelope } from '#contracts/envelope.ts';
import type { Json } from '#contracts/json.ts';
import type {
  ConsumedMail,
  DomainWrite,
  EffectRow,
  SetAsideMessage,
  StreamEventRow,
  TimerRow,
  TransitionRow,
} from '#contracts/ports/actor-store.ts';
import type { ActorState } from './actor-state.ts';
import type { ActorDefinition } from './define-actor.ts';

export type Draft = {
  readonly definition: ActorDefinition;
  readonly before: ActorState;
  state: ActorState;
  /** Sequence the commit will have. */
  readonly seq: number;
  readonly requires: FenceRequirement | null;
  readonly transitions: TransitionRow[];
  readonly envelopes: Envelope[];
  timersSet: ReadonlyMap<string, TimerRow>;
  timersDeleted: ReadonlySet<string>;
  effectsAdded: ReadonlyMap<string, EffectRow>;
  effectsDeleted: ReadonlySet<string>;
  readonly writes: DomainWrite[];
  readonly published: StreamEventRow[];
  readonly fencesSet: FenceState[];
  readonly quarantined: SetAsideMessage[];
  readonly deadLetters: SetAsideMessage[];
  readonly consumedMail: ConsumedMail[];
  /** Effects declared so far in this commit; the next one is `seq:declared`. */
  declared: number;
};

/** A change that an action asks for; applied only when the whole message went through. */
export type Change =
  | { readonly change: 'timerSet'; readonly timerId: string; readonly dueAtMs: number; readonly event: Json }
  | { readonly change: 'timerDeleted'; readonly timerId: string }
  | { readonly change: 'effectDeclared'; readonly effect: Omit<EffectRow, 'effectId' | 'fence'> }
  | { readonly change: 'effectDropped'; readonly invokeId: string };

// Shared, because most steps set and delete nothing; applyChanges puts its own in their place.
const NO_TIMERS: ReadonlyMap<string, TimerRow> = new Map();
const NO_EFFECTS: ReadonlyMap<string, EffectRow> = new Map();
const NO_IDS: ReadonlySet<string> = new Set();

export function openDraft(definition: ActorDefinition, before: ActorState): Draft {
  return {
    definition,
    before,
    state: before,
    seq: before.seq + 1,
    requires: before.fence,
    transitions: [],
    envelopes: [],
    timersSet: NO_TIMERS,
    timersDeleted: NO_IDS,
    effectsAdded: NO_EFFECTS,
    effectsDeleted: NO_IDS,
    writes: [],
    published: [],
    fencesSet: [],
    quarantined: [],
    deadLetters: [],
    consumedMail: [],
    declared: 0,
  };
}

export function applyChanges(draft: Draft, changes: readonly Change[]): void {
  if (changes.length === 0) return;
  const timers = new Map(draft.state.timers);
  const effects = new Map(draft.state.effects);
  const invokes = { ...draft.state.invokes };
  const timersSet = new Map(draft.timersSet);
  const timersDeleted = new Set(draft.timersDeleted);
  const effectsAdded = new Map(draft.effectsAdded);
  const effectsDeleted = new Set(draft.effectsDeleted);
  let { armed } = draft.state;
  for (const item of changes) {
    switch (item.change) {
      case 'timerSet': {
        armed += 1;
        const { timerId, dueAtMs, event } = item;
        const row: TimerRow = { timerId, occurrence: armed, dueAtMs, event };
        timers.set(timerId, row);
        timersSet.set(timerId, row);
        timersDeleted.delete(timerId);
        break;
      }
      case 'timerDeleted':
        if (!timers.delete(item.timerId)) break;
        timersSet.delete(item.timerId);
        if (draft.before.timers.has(item.timerId)) timersDeleted.add(item.timerId);
        break;
      case 'effectDeclared': {
        const effectId = `${draft.seq}:${draft.declared}`;
        draft.declared += 1;
        const row: EffectRow = { ...item.effect, effectId, fence: draft.state.fence };
        invokes[row.invokeId] = effectId;
        effects.set(effectId, row);
        effectsAdded.set(effectId, row);
        break;
      }
      case 'effectDropped': {
        const effectId = invokes[item.invokeId];
        if (effectId === undefined) break;
        delete invokes[item.invokeId];
        if (effects.delete(effectId) && !effectsAdded.delete(effectId)) effectsDeleted.add(effectId);
        break;
      }
    }
  }
  Object.assign(draft, { timersSet, timersDeleted, effectsAdded, effectsDeleted });
  draft.state = { ...draft.state, timers, effects, invokes, armed };
}
