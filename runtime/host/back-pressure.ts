// Senders wait while a receiver has too much mail.
//
// Owns:     how much was sent where lately, which receivers are known to be full.
// Owns not: mailboxes (the store), turns; it only says until when an actor should rest.
//
//   BP1  A commit never fails for its receiver's sake: the mail of a full mailbox is stored, its sender rests.
//   BP2  A rest is short and ends by itself, so two full actors that write to each other go on, slowly.
//   BP3  Only mail that stays in the store is watched; a receiver that keeps up costs nothing here.

import type { OutgoingMessage } from '#contracts/ports/actor-store.ts';
import { actorKey, type HostParts } from './host-parts.ts';
import type { Resident } from './residents.ts';

/** After so much mail to one receiver its mailbox is counted. */
const SENT_BETWEEN_COUNTS = 256;
/** A full receiver counts as full for so long, then it is counted again. */
const FULL_FOR_MS = 1000;
const WATCHED_RECEIVERS = 10_000;

type Receiver = { sent: number; fullUntilMs: number; isCounting: boolean };

export class BackPressure {
  readonly #parts: HostParts;
  readonly #receivers = new Map<string, Receiver>();
  /** Rests ordered so far. */
  held = 0;

  constructor(parts: HostParts) {
    this.#parts = parts;
  }

  /** The actor sent a message that waits in the store. */
  sent(sender: Resident, message: OutgoingMessage): void {
    const { project, to } = message.envelope;
    const receiver = this.#watch(actorKey(project, to));
    const nowMs = this.#parts.clock.nowMs();
    receiver.sent += 1;
    if (nowMs < receiver.fullUntilMs) {
      this.held += 1;
      sender.heldUntilMs = nowMs + this.#parts.limits.holdMs;
    }
    const isDoubtful = receiver.fullUntilMs > 0 && nowMs >= receiver.fullUntilMs;
    if (receiver.sent >= SENT_BETWEEN_COUNTS || isDoubtful) void this.#count(receiver, message);
  }

  async #count(receiver: Receiver, { envelope, shard }: OutgoingMessage): Promise<void> {
    if (receiver.isCounting) return;
    const { store, clock, limits, logger } = this.#parts;
    receiver.isCounting = true;
    receiver.sent = 0;
    try {
      const waiting = await store.countMail(envelope.project, envelope.to, shard, limits.mailboxCap + 1);
      const isFull = waiting > limits.mailboxCap;
      if (isFull && receiver.fullUntilMs === 0) logger.warn('mailbox is full, senders rest', { address: envelope.to });
      receiver.fullUntilMs = isFull ? clock.nowMs() + FULL_FOR_MS : 0;
    } catch (cause) {
      logger.warn('counting mail failed', { address: envelope.to, cause: String(cause) });
    } finally {
      receiver.isCounting = false;
    }
  }

  #watch(key: string): Receiver {
    let receiver = this.#receivers.get(key);
    if (receiver === undefined) {
      // counts begin anew; nothing but a later count is lost
      if (this.#receivers.size >= WATCHED_RECEIVERS) this.#receivers.clear();
      receiver = { sent: 0, fullUntilMs: 0, isCounting: false };
      this.#receivers.set(key, receiver);
    }
    return receiver;
  }
}
