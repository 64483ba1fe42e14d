type FlagOptions = { readonly socketFolder: string; readonly durable: boolean; readonly extra: readonly string[] };

/** Modest memory: the server shares the machine with browsers. */
const MODEST = [
  'shared_buffers=64MB',
  'work_mem=8MB',
  'maintenance_work_mem=32MB',
  'max_connections=60',
  'max_wal_size=512MB',
  'wal_compression=on',
  'jit=off',
  'autovacuum_naptime=20s',
  'timezone=UTC',
  'lc_messages=C',
  // A query whose client is gone stops instead of holding its locks.
  'client_connection_check_interval=2s',
  'idle_in_transaction_session_timeout=30s',
];

const THROW_AWAY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off'];

/** Command-line settings of the server, as `-c name=value` pairs. */
export function serverFlags(options: FlagOptions): string[] {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${options.socketFolder}`,
    'unix_socket_permissions=0700',
    ...MODEST,
    ...(options.durable ? [] : THROW_AWAY),
    ...options.extra,
  ];
  return settings.flatMap((setting) => ['-c', setting]);
}
