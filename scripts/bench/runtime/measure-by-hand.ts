import pg from 'pg';
import type { AnyMachineSnapshot } from 'xstate';
import { initialTransition, transition } from 'xstate';
import type { BenchDatabase } from '../bench-database.ts';
import { busyActor } from './busy-actor.ts';
import { window, type Rate, type Span } from './window.ts';

const CONNECTIONS = 8;

export const HAND_TABLES = ['hand_actor', 'hand_event', 'hand_mail'];
export const HAND_SCHEMA = `
  create table if not exists hand_actor (id text primary key, seq bigint not null, snapshot jsonb not null);
  create table if not exists hand_event (actor_id text not null, seq bigint not null, event jsonb not null, at timestamptz not null default now(),
    primary key (actor_id, seq));
  create table if not exists hand_mail (id bigserial primary key, actor_id text not null, event jsonb not null)`;

const STEP = `with moved as (update hand_actor set seq = seq + 1, snapshot = $3 where id = $1 and seq = $2 returning id, seq),
  logged as (insert into hand_event (actor_id, seq, event) select id, seq, $4::jsonb from moved),
  taken as (delete from hand_mail where id = $5 and exists (select from moved))
  insert into hand_mail (actor_id, event) select $6, $4::jsonb from moved returning id`;

type Hand = {
  readonly id: string;
  readonly partner: string;
  seq: number;
  snapshot: AnyMachineSnapshot;
  mailId: string;
};

/**
 * What one would write by hand: XState's own `transition`, and one statement per transition (snapshot, event, mailbox row in
 * and out) over eight connections.
 */
export async function measureByHand(
  database: BenchDatabase,
  concurrency: number,
  span: Span,
  project: string,
): Promise<Rate> {
  const pool = new pg.Pool({ ...database.connection, max: CONNECTIONS });
  let steps = 0;
  let isOver = false;
  try {
    await pool.query(HAND_SCHEMA);
    const hands = Array.from({ length: concurrency }, (_, index) =>
      handOf(`${project}/b${index}`, `${project}/b${index ^ 1}`),
    );
    await Promise.all(hands.map((hand) => insert(pool, hand)));
    const loops = hands.map(async (hand) => {
      while (!isOver) {
        await step(pool, hand);
        steps += 1;
      }
    });
    const rate = await window(span, () => steps);
    isOver = true;
    await Promise.all(loops);
    return rate;
  } finally {
    isOver = true;
    await pool.end();
  }
}

function handOf(id: string, partner: string): Hand {
  const [snapshot] = initialTransition(busyActor.machine, { partner });
  return { id, partner, seq: 0, snapshot: snapshot as AnyMachineSnapshot, mailId: '0' };
}

async function insert(pool: pg.Pool, hand: Hand): Promise<void> {
  const snapshot = JSON.stringify(hand.snapshot.toJSON());
  await pool.query('insert into hand_actor values ($1, 0, $2)', [hand.id, snapshot]);
}

async function step(pool: pg.Pool, hand: Hand): Promise<void> {
  const event = { type: 'busy.ball' };
  const [next] = transition(busyActor.machine, hand.snapshot, event);
  const values = [hand.id, hand.seq, JSON.stringify(next.toJSON()), JSON.stringify(event), hand.mailId, hand.partner];
  const { rows } = await pool.query<{ id: string }>({ name: 'hand_step', text: STEP, values });
  hand.mailId = rows[0]?.id ?? '0';
  hand.snapshot = next as AnyMachineSnapshot;
  hand.seq += 1;
}
