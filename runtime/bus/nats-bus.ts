// The bus over NATS core subjects.
//
// Owns:     the connection, its repair, who listens to which subject.
// Owns not: what was published while the server was away: it is lost, which the polls of the listeners repair.
//
//   NB1  A server that is away, also at the start, costs latency only: it is warned of once and looked for until it answers.
//   NB2  Whoever subscribed, at any time, hears what is published after the connection came back.
//   NB3  Nothing is kept for a server that is away: old hints would come in a burst, and memory would grow.

import { connect, StringCodec, type ConnectionOptions, type NatsConnection, type Subscription } from 'nats';
import type { Bus } from '#contracts/ports/bus.ts';
import type { Logger } from '#contracts/ports/logger.ts';

export type NatsBusOptions = {
  /** `nats://[user:password@]host:port`, several separated by commas. */
  readonly url: string;
  readonly logger: Logger;
  /** Prefix of every subject, so that installations can share a server. */
  readonly prefix?: string;
  readonly connectTimeoutMs?: number;
};

export type NatsBus = Bus & { isConnected(): boolean };

type Listener = (payload: string, subject: string) => void;
type Listening = { readonly subject: string; readonly listener: Listener; subscription: Subscription | null };

const RETRY_MS = 500;
const CLOSE_LIMIT_MS = 2000;
const codec = StringCodec();

/** Resolves when the first attempt to connect ended, whatever its end; a server that comes later is found. */
export async function connectNatsBus(options: NatsBusOptions): Promise<NatsBus> {
  const bus = new ReconnectingBus(options);
  await bus.start();
  return bus;
}

class ReconnectingBus implements NatsBus {
  readonly #options: NatsBusOptions;
  readonly #prefix: string;
  readonly #listening = new Set<Listening>();
  #connection: NatsConnection | null = null;
  #isConnected = false;
  #isClosed = false;
  #hasWarned = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: NatsBusOptions) {
    this.#options = options;
    this.#prefix = `${options.prefix ?? 'yunsou'}.`;
  }

  async start(): Promise<void> {
    try {
      const connection = await connect(settingsOf(this.#options));
      if (this.#isClosed) return await connection.close();
      this.#adopt(connection);
    } catch (cause) {
      if (!this.#hasWarned) this.#options.logger.warn('NATS does not answer; waiting for it', reasonOf(cause));
      this.#hasWarned = true;
      this.#startLater();
    }
  }

  isConnected(): boolean {
    return this.#isConnected;
  }

  publish(subject: string, payload: string): void {
    if (this.#isConnected) this.#connection?.publish(this.#prefix + subject, codec.encode(payload));
  }

  subscribe(subject: string, listener: Listener): () => void {
    const listening: Listening = { subject, listener, subscription: null };
    this.#listening.add(listening);
    if (this.#connection !== null) this.#attach(this.#connection, listening);
    return () => {
      if (!this.#listening.delete(listening) || this.#connection?.isClosed() !== false) return;
      listening.subscription?.unsubscribe();
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#listening.clear();
    const connection = this.#connection;
    if (connection === null || connection.isClosed()) return;
    // What was published is on its way; a server that went away is not waited for.
    if (this.#isConnected) await within(CLOSE_LIMIT_MS, connection.drain());
    this.#isConnected = false;
    if (!connection.isClosed()) await connection.close();
  }

  #adopt(connection: NatsConnection): void {
    this.#connection = connection;
    this.#isConnected = true;
    if (this.#hasWarned) this.#options.logger.warn('NATS answers', {});
    this.#hasWarned = false;
    for (const listening of this.#listening) this.#attach(connection, listening);
    void this.#follow(connection);
    void connection.closed().then((cause) => this.#lost(connection, cause));
  }

  #attach(connection: NatsConnection, listening: Listening): void {
    if (connection.isClosed()) return;
    listening.subscription = connection.subscribe(this.#prefix + listening.subject, {
      callback: (error, message) => {
        if (error !== null) this.#options.logger.warn('bus subscription failed', { subject: listening.subject });
        else listening.listener(codec.decode(message.data), message.subject.slice(this.#prefix.length));
      },
    });
  }

  async #follow(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type !== 'disconnect' && type !== 'reconnect') continue;
      this.#isConnected = type === 'reconnect';
      if (!this.#isClosed) this.#options.logger.warn(`bus ${type}`, {});
    }
  }

  /** The client gave the connection up for good, as it does when it is refused twice. */
  #lost(connection: NatsConnection, cause: Error | void): void {
    if (this.#isClosed || this.#connection !== connection) return;
    this.#connection = null;
    this.#isConnected = false;
    this.#options.logger.warn('NATS connection closed; trying anew', cause === undefined ? {} : reasonOf(cause));
    this.#startLater();
  }

  #startLater(): void {
    if (!this.#isClosed) this.#retry = setTimeout(() => void this.start(), RETRY_MS);
  }
}

function settingsOf({ url, connectTimeoutMs }: NatsBusOptions): ConnectionOptions {
  const servers = url.split(',').map((server) => server.trim());
  return {
    servers: servers.map((server) => withoutCredentials(server)),
    ...credentialsOf(servers[0] ?? ''),
    name: 'yunsou',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    reconnectJitter: 250,
    // a server that hangs is noticed after two of them
    pingInterval: 5000,
    timeout: connectTimeoutMs ?? 3000,
  };
}

function withoutCredentials(server: string): string {
  return server.replace(/^(\w+:\/\/)?[^@/]*@/, '$1');
}

function credentialsOf(server: string): { user?: string; pass?: string; token?: string } {
  const found = /^(?:\w+:\/\/)?([^@/]*)@/.exec(server)?.[1];
  if (found === undefined) return {};
  const [user = '', pass] = found.split(':').map(decodeURIComponent);
  return pass === undefined ? { token: user } : { user, pass };
}

function reasonOf(cause: unknown): { readonly cause: string } {
  return { cause: cause instanceof Error ? cause.message : String(cause) };
}

async function within(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
  await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
}
