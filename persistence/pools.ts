import pg from 'pg';
import { failure, PlatformError } from '#contracts/errors.ts';
import type { DatabaseConnection } from './connection.ts';
import { databaseError, hasNoRoom, isRepeatable, surelyNotApplied } from './database-failure.ts';

const INT8_OID = 20;
const CONNECT_TIMEOUT_MS = 5_000;
/** After a refusal the server is not asked for a further connection for so long. */
const MODEST_MS = 10_000;
/** A deadlock costs the server a second to find; more rounds than this mean something else is wrong. */
const REPEATS_MAX = 5;

export type Statement = { readonly name: string; readonly text: string; readonly values: readonly unknown[] };

type PoolOptions = { readonly max: number; readonly statementTimeoutMs: number; readonly settings?: readonly string[] };

/** A few connections for one kind of work, opened when first needed; the last one is kept. */
export class StatementPool {
  readonly #pool: pg.Pool;
  readonly #connection: DatabaseConnection;
  readonly #max: number;
  #modestUntilMs = 0;

  constructor(connection: DatabaseConnection, options: PoolOptions) {
    this.#connection = connection;
    this.#max = options.max;
    const settings = [
      `statement_timeout = ${options.statementTimeoutMs}`,
      // a process that hangs between two statements must not keep what it locked
      `idle_in_transaction_session_timeout = ${options.statementTimeoutMs}`,
      ...(options.settings ?? []),
    ];
    const preamble = settings.map((setting) => `set ${setting}`).join(';');
    this.#pool = new pg.Pool({
      ...connection,
      max: options.max,
      min: 1,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // The server gives up first; this one is for a connection that went silent.
      query_timeout: options.statementTimeoutMs + 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      idleTimeoutMillis: 60_000,
      types: { getTypeParser: parserOf },
      onConnect: (async (client: pg.ClientBase) => {
        await client.query(preamble);
      }) as (client: pg.ClientBase) => void,
    });
    // A connection lost while idle is replaced at the next use.
    this.#pool.on('error', () => undefined);
    // One lost in the middle of a statement fails that statement, and besides is an `error` event, which without a
    // listener would end the process: the pool itself listens only to idle clients.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Reads, and writes that may be repeated: every failure is `store.unavailable`. */
  async run<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.withClient(async (client) => {
      for (let round = 1; ; round += 1) {
        try {
          return (await client.query<Row>({ ...statement, values: [...statement.values] })).rows;
        } catch (error) {
          if (!isRepeatable(error) || round === REPEATS_MAX) throw error;
        }
      }
    });
  }

  async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw databaseError(error, this.#connection, 'The database did not answer as it should');
    }
  }

  /** One statement whose outcome matters: `commit.unknown` when it may have been applied although it failed. Data errors are thrown as they are. */
  async runOnce<Row extends object>(statement: Statement, isExpected: (error: unknown) => boolean): Promise<Row[]> {
    const client = await this.connect();
    for (let round = 1; ; round += 1) {
      try {
        const { rows } = await client.query<Row>({ ...statement, values: [...statement.values] });
        client.release();
        return rows;
      } catch (error) {
        if (isRepeatable(error) && round < REPEATS_MAX) continue;
        const serverAnswered = surelyNotApplied(error);
        client.release(!serverAnswered);
        if (serverAnswered && isExpected(error)) throw error;
        if (serverAnswered) throw databaseError(error, this.#connection, 'The commit was rolled back');
        const reason = error instanceof Error ? error.message : String(error);
        throw new PlatformError(failure('commit.unknown', `The connection was lost during a commit: ${reason}`), {
          cause: error,
        });
      }
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Resolves when a connection is there. */
  async hold(): Promise<void> {
    if (this.#pool.totalCount === 0) (await this.connect()).release();
  }

  /** Closes what is idle, so that others can use it. */
  async letGo(): Promise<void> {
    while (this.#pool.idleCount > 0) (await this.connect()).release(true);
  }

  async connect(): Promise<pg.PoolClient> {
    for (;;) {
      if (performance.now() > this.#modestUntilMs) this.#pool.options.max = this.#max;
      try {
        return await this.#pool.connect();
      } catch (error) {
        const open = this.#pool.totalCount;
        if (!hasNoRoom(error) || open === 0) {
          throw databaseError(error, this.#connection, 'The database cannot be reached');
        }
        // those that are open have to do for a while
        this.#modestUntilMs = performance.now() + MODEST_MS;
        this.#pool.options.max = open;
      }
    }
  }
}

function parserOf(oid: number, format?: string): (value: string) => unknown {
  if (oid === INT8_OID) return toSafeInteger;
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown;
}

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`number ${text} from the database is beyond 2^53`);
  return value;
}
