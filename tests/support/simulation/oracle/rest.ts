// At rest everything that was promised has come true.

import { findCell, type Cell } from '#persistence/memory/actor-tables.ts';
import { readStoredSnapshot } from '#runtime/core/stored-snapshot.ts';
import { LEDGER, type HandState } from '../actors/hand-actor.ts';
import type { LedgerState } from '../actors/ledger-actor.ts';
import { HANDS, PROJECT } from '../schedule/names.ts';
import type { SimWorld } from '../world/sim-world.ts';

/** No mail, no effect, no timer is left. */
export function isAtRest(world: SimWorld): boolean {
  for (const cell of world.store.tables.cells.values()) if (isBusy(cell)) return false;
  return true;
}

function isBusy({ mail, effects, timers }: Cell): boolean {
  return mail.size > 0 || effects.size > 0 || timers.size > 0;
}

export function checkRest(world: SimWorld): void {
  const { problems, messages } = world.oracle;
  messages.scan();
  for (const cell of world.store.tables.cells.values()) {
    const { address, mail, effects, timers } = cell;
    const [stuck] = mail.values();
    if (stuck !== undefined) problems.add('MB-05', `${stuck.envelope.messageId} waits for ever in ${address}`);
    if (effects.size > 0) problems.add('FX-07', `an effect of ${address} waits for ever`);
    if (timers.size > 0) problems.add('TM-03', `a timer of ${address} waits for ever`);
  }
  checkPosted(world);
  checkHands(world);
  checkLedger(world);
}

/** What was acknowledged was acted on, once. */
function checkPosted({ posted, oracle, store }: SimWorld): void {
  for (const { to, messageId, event } of posted) {
    const place = oracle.messages.placeOf(to, messageId);
    const isKnown = oracle.messages.isAcknowledged(to, messageId);
    if (isKnown && place !== 'taken' && place !== 'aside')
      oracle.problems.add('MB-01', `${messageId} (${event.type}) was acknowledged and is ${place ?? 'gone'}`);
    if (place !== 'taken') continue;
    const rows = findCell(store.tables, PROJECT, to)?.transitions.filter((row) => row.messageId === messageId) ?? [];
    if (rows.length !== 1) oracle.problems.add('MB-01', `${messageId} has ${rows.length} rows in the log of ${to}`);
  }
}

/** The state is what the log says, and everything the free hands said to one another was heard. */
function checkHands({ store, oracle: { problems } }: SimWorld): void {
  const hands = HANDS.map((address) => ({ address, cell: findCell(store.tables, PROJECT, address) }));
  for (const { address, cell } of hands) {
    const state = contextOf<HandState>(cell);
    if (cell === undefined || state === null) return problems.add('ST-01', `${address} was never born`);
    const count = (type: string) =>
      cell.transitions.filter((row) => row.eventType === type && row.outcome === 'handled').length;
    if (state.ticks !== count('hand.tick')) problems.add('MB-01', `${address} counts ${state.ticks} ticks`);
    const waits = cell.transitions.filter((row) => row.from === 'timer' && row.outcome === 'handled').length;
    if (state.waits !== waits) problems.add('TM-02', `${address} counts ${state.waits} waits, the log ${waits}`);
    for (const [other, number] of Object.entries(state.said)) {
      const listener = findCell(store.tables, PROJECT, other);
      if (listener?.row?.status !== 'active') continue;
      const heard = contextOf<HandState>(listener)?.heard[address] ?? 0;
      if (heard !== number) problems.add('OB-01', `${address} said ${number} to ${other}, who heard ${heard}`);
    }
  }
}

/** Every reservation ended: settled, released, or closed because its hand was stopped. */
function checkLedger({ store, oracle: { problems } }: SimWorld): void {
  const ledger = contextOf<LedgerState>(findCell(store.tables, PROJECT, LEDGER));
  if (ledger === null) return;
  for (const hand of Object.keys(ledger.held)) {
    const cell = findCell(store.tables, PROJECT, hand);
    const status = cell?.row?.status ?? 'missing';
    if (status === 'active' && isTouchedLater(cell)) continue;
    problems.add('FN-02', `${hand} is ${status} and its money is still reserved`);
  }
}

/** A stopped hand that nothing touched since keeps what it has until something does. */
function isTouchedLater(cell: Cell | undefined): boolean {
  return readStoredSnapshot(cell?.row?.snapshot ?? null)?.state.value === 'asking' && cell?.row?.fence !== null;
}

function contextOf<T>(cell: Cell | undefined): T | null {
  return (readStoredSnapshot(cell?.row?.snapshot ?? null)?.state.context ?? null) as T | null;
}
