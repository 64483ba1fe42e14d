// Work for the actors of a plant, and the oracle: afterwards everything must be as if nothing had gone wrong.

import { expect } from 'vitest';
import { toFailure } from '#contracts/errors.ts';
import type { Json } from '#contracts/json.ts';
import { PROJECT, type Plant } from './plant.ts';

type StoredActor = { address: string; status: string; context: Record<string, unknown> };

/** How often a call of class `once` may have arrived, by what its actor was told. `aborted`: it was dispatched, and not sent. */
const ARRIVALS: Readonly<Record<string, readonly number[]>> = {
  done: [1],
  'effect.unknown': [0, 1],
  'effect.aborted': [0],
};

export class Errands {
  readonly #plant: Plant;
  readonly #sent = new Map<string, number>();
  readonly #alarms = new Set<string>();
  readonly #calls = new Set<string>();
  #messages = 0;
  #pump: Promise<void> = Promise.resolve();
  #pumping = { isOn: false };
  /** How often the store did not take a message at first. */
  repeated = 0;

  constructor(plant: Plant) {
    this.#plant = plant;
  }

  /** Couriers of one tally. */
  async hire(tally: string, couriers: number): Promise<void> {
    await this.#create(`tally/${tally}`, {});
    for (let index = 0; index < couriers; index += 1) {
      const name = `${tally}-${index}`;
      await this.#create(`courier/${name}`, { name, to: `tally/${tally}` });
      this.#sent.set(name, 0);
    }
  }

  /** Lets a courier send so many numbered messages. */
  async go(name: string, count = 1): Promise<void> {
    await this.#send(`courier/${name}`, { type: 'courier.go', count });
    this.#sent.set(name, (this.#sent.get(name) ?? 0) + count);
  }

  get couriers(): string[] {
    return [...this.#sent.keys()];
  }

  async pay(name: string): Promise<void> {
    this.#calls.add(`payment/${name}`);
    await this.#create(`payment/${name}`, {});
  }

  async visit(name: string): Promise<void> {
    this.#calls.add(`visit/${name}`);
    await this.#create(`visit/${name}`, {});
  }

  async setAlarm(name: string, delayMs: number): Promise<void> {
    this.#alarms.add(`alarm/${name}`);
    await this.#create(`alarm/${name}`, { delayMs });
  }

  /** A bit of everything, one after the other, until `finish`. */
  startPump(): void {
    this.#pumping = { isOn: true };
    this.#pump = this.#work(this.#pumping);
    this.#pump.catch(() => undefined);
  }

  async finish(): Promise<void> {
    this.#pumping.isOn = false;
    await this.#pump;
  }

  /** Waits for the end of all work, then holds everything against what was asked for. */
  async check(timeoutMs?: number): Promise<void> {
    await this.finish();
    const ask = async (): Promise<void> => {
      const actors = await this.#readActors();
      this.#checkTallies(actors);
      this.#checkCalls(actors);
      this.#checkAlarms(actors);
      await this.#checkNothingLeft();
    };
    await this.#plant.until('all work has ended', () => ask().then(() => true), timeoutMs);
    await ask();
    await this.#checkTrace();
    await this.#checkStreams();
    await this.#checkLog();
  }

  async #work(pumping: { readonly isOn: boolean }): Promise<void> {
    for (let round = 0; pumping.isOn; round += 1) {
      const name = this.couriers[round % this.couriers.length] ?? '';
      await this.go(name, 1 + (round % 3));
      if (round % 3 === 0) await this.pay(`pump-${round}`);
      if (round % 3 === 1) await this.visit(`pump-${round}`);
      if (round % 3 === 2) await this.setAlarm(`pump-${round}`, (round * 37) % 2000);
    }
  }

  async #create(to: string, input: Json): Promise<void> {
    await this.#send(to, { type: 'runtime.create' }, { input });
  }

  /** As a client would: the same message again until the store took it. */
  async #send(to: string, event: { type: string; count?: number }, create?: { input: Json }): Promise<void> {
    this.#messages += 1;
    const head = { project: PROJECT, from: 'http', to, messageId: `errand-${this.#messages}`, event };
    await this.#plant.until(`${to} takes ${event.type}`, async () => {
      try {
        await this.#plant.client.client.send({ ...head, ...(create === undefined ? {} : { create }) });
        return true;
      } catch (thrown) {
        if (toFailure(thrown, 'store.unavailable').code === 'request.conflict') throw thrown;
        this.repeated += 1;
        return false;
      }
    });
  }

  async #readActors(): Promise<Map<string, StoredActor>> {
    const sql = `select address, status, snapshot from actor where project = $1`;
    const rows = await this.#plant.query<{ address: string; status: string; snapshot: Json }>(sql, [PROJECT]);
    return new Map(
      rows.map(({ address, status, snapshot }) => {
        const { state } = snapshot as { state: { context: Record<string, unknown> } };
        return [address, { address, status, context: state.context }];
      }),
    );
  }

  #checkTallies(actors: ReadonlyMap<string, StoredActor>): void {
    const expected = new Map<string, { total: number; disorder: number; last: Record<string, number> }>();
    for (const [name, sent] of this.#sent) {
      const { to } = (actors.get(`courier/${name}`)?.context ?? { to: '' }) as { to: string };
      const tally = expected.get(to) ?? { total: 0, disorder: 0, last: {} };
      expected.set(to, tally);
      tally.total += sent;
      if (sent > 0) tally.last[name] = sent;
    }
    for (const [address, tally] of expected) expect(actors.get(address)?.context, address).toEqual(tally);
  }

  #checkCalls(actors: ReadonlyMap<string, StoredActor>): void {
    for (const address of this.#calls) {
      const { answers = [] } = (actors.get(address)?.context ?? {}) as { answers?: string[] };
      expect(answers, `${address} has one answer`).toHaveLength(1);
      const arrived = this.#plant.farEnd.countOf(`${PROJECT}/${address}#1:0`);
      if (address.startsWith('visit/')) expect([answers[0], arrived > 0], address).toEqual(['done', true]);
      else expect(ARRIVALS[answers[0] ?? ''], `${address}: ${answers[0]}`).toContain(arrived);
    }
  }

  #checkAlarms(actors: ReadonlyMap<string, StoredActor>): void {
    for (const address of this.#alarms) expect(actors.get(address)?.context['rings'], address).toBe(1);
  }

  async #checkNothingLeft(): Promise<void> {
    const counts = ['mailbox', 'timer', 'effect', 'dead_letter', 'quarantine'].map(
      (table) => `(select count(*)::int from ${table}) as ${table}`,
    );
    const [left] = await this.#plant.query<Record<string, number>>(`select ${counts.join(', ')}`);
    expect(left).toEqual({ mailbox: 0, timer: 0, effect: 0, dead_letter: 0, quarantine: 0 });
  }

  /** (epoch, seq) of an actor only grow, and each commit carried the epoch that the lease had when it landed. */
  async #checkTrace(): Promise<void> {
    const sql = `select address, seq::int as seq, epoch::int as epoch, lease_epoch::int as lease, before_seq::int, before_epoch::int from (
        select t.*, lag(seq, 1, 0) over actor as before_seq, lag(epoch, 1, 0) over actor as before_epoch from trace t
        window actor as (partition by project, address order by id)) t
      where seq <> before_seq + 1 or epoch < before_epoch or epoch <> lease_epoch limit 5`;
    expect(await this.#plant.query(sql)).toEqual([]);
  }

  async #checkStreams(): Promise<void> {
    const sql = `select stream from stream_event group by project, stream having count(*) <> max(seq) or min(seq) <> 1`;
    expect(await this.#plant.query(sql)).toEqual([]);
    const [{ events, total } = { events: -1, total: 0 }] = await this.#plant.query<{ events: number; total: number }>(
      `select (select count(*)::int from stream_event) as events, (select coalesce(sum((snapshot->'state'->'context'->>'total')::int), 0)::int
        from actor where address like 'tally/%') as total`,
    );
    expect(events).toBe(total);
  }

  /** No message was acted on twice. */
  async #checkLog(): Promise<void> {
    const sql = `select address, message_id, count(*)::int as times from transition_log where seq > 0
      group by project, address, message_id having count(*) > 1 limit 5`;
    expect(await this.#plant.query(sql)).toEqual([]);
  }
}
