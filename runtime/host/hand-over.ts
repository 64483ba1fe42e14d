// Which mail of a call that is just answered may still be put into memory.
//
// A statement stores mail, and its answer may be slower than everything that follows: the mail is read, taken and committed
// before its sender hears that it was stored.
//
// Owns:     the mail ids consumed while such a call is under way, the number of acquisitions.
// Owns not: the mail, the queues.
//
//   1  Mail that was consumed since the call began is not taken again.
//   2  Mail of a call that began before the last acquisition of shards is left to the store: another worker may have taken it.
//   3  What is remembered goes when the last call goes that it was remembered for.

type Era = { calls: number; readonly consumed: Set<number> };
/** One call of the store that stores or reads mail. */
export type Ticket = { readonly era: Era; readonly acquisitions: number };

/** Ids in one era; then a new one begins, so that a busy worker forgets too. */
const IDS_OF_AN_ERA = 1024;

export class HandOver {
  #eras: Era[] = [];
  #acquisitions = 0;

  acquired(): void {
    this.#acquisitions += 1;
  }

  begin(): Ticket {
    let era = this.#eras.at(-1);
    if (era === undefined || era.consumed.size >= IDS_OF_AN_ERA) {
      era = { calls: 0, consumed: new Set() };
      this.#eras.push(era);
    }
    era.calls += 1;
    return { era, acquisitions: this.#acquisitions };
  }

  end({ era }: Ticket): void {
    era.calls -= 1;
    while (this.#eras[0]?.calls === 0) this.#eras.shift();
  }

  /** Consumed or set aside. */
  gone(mailId: number): void {
    this.#eras.at(-1)?.consumed.add(mailId);
  }

  isCurrent({ acquisitions }: Ticket): boolean {
    return acquisitions === this.#acquisitions;
  }

  isGone(mailId: number): boolean {
    return this.#eras.some(({ consumed }) => consumed.has(mailId));
  }
}
