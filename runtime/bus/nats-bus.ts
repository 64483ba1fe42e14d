import { connect, StringCodec, type ConnectionOptions, type NatsConnection } from 'nats';
import type { Bus } from '#contracts/ports/bus.ts';
import { fail } from '#contracts/errors.ts';
import type { Logger } from '#contracts/ports/logger.ts';

export type NatsBusOptions = {
  /** `nats://[user:password@]host:port`, several separated by commas. */
  readonly url: string;
  readonly logger: Logger;
  /** Prefix of every subject, so that installations can share a server. */
  readonly prefix?: string;
  readonly connectTimeoutMs?: number;
};

/** The bus over NATS core subjects. It reconnects for ever; hints published meanwhile are lost, which the poll repairs. */
export async function connectNatsBus(options: NatsBusOptions): Promise<Bus> {
  const connection = await open(options);
  const codec = StringCodec();
  const prefix = options.prefix ?? 'yunsou';
  void logStatus(connection, options.logger);
  return {
    publish(subject, payload) {
      if (connection.isClosed()) return;
      connection.publish(`${prefix}.${subject}`, codec.encode(payload));
    },
    subscribe(subject, listener) {
      const subscription = connection.subscribe(`${prefix}.${subject}`, {
        callback: (error, message) => {
          if (error !== null) options.logger.warn('bus subscription failed', { subject, cause: error.message });
          else listener(codec.decode(message.data), message.subject.slice(prefix.length + 1));
        },
      });
      return () => {
        if (!connection.isClosed()) subscription.unsubscribe();
      };
    },
    async close() {
      if (!connection.isClosed()) await connection.drain();
    },
  };
}

async function open(options: NatsBusOptions): Promise<NatsConnection> {
  const servers = options.url.split(',').map((server) => server.trim());
  const settings: ConnectionOptions = {
    servers: servers.map((server) => withoutCredentials(server)),
    ...credentialsOf(servers[0] ?? ''),
    name: 'yunsou',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    reconnectJitter: 250,
    timeout: options.connectTimeoutMs ?? 3000,
  };
  try {
    return await connect(settings);
  } catch (cause) {
    const hosts = servers.map((server) => withoutCredentials(server)).join(', ');
    return fail('store.unavailable', `NATS does not answer at ${hosts}`, { retry: { kind: 'backoff' }, cause });
  }
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

async function logStatus(connection: NatsConnection, logger: Logger): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'reconnect') logger.warn(`bus ${status.type}`, {});
  }
}
