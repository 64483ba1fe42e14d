import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import type { LogFields, Logger } from '#contracts/ports/logger.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export type LoggerOptions = {
  readonly level: LogLevel;
  /** On every line, e.g. the worker's id. */
  readonly base?: LogFields;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
};

const REDACTED = '[redacted]';
const MAX_DEPTH = 6;
const SECRET_KEY =
  /^(authorization|proxy-?authorization|cookie|set-?cookie|password|passwd|secret|token|credentials?|dsn|connection-?string|session-?id|csrf|x-api-key)$|(api|access|private|signing|secret)[-_]?key$|[-_]?(token|secret|password)$/i;
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s@/]+@/gi;
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;

/** Structured lines of JSON. Values under known secret names, and passwords inside URLs, never leave the process. */
export function createLogger(options: LoggerOptions): Logger {
  const settings = { level: options.level, base: options.base ?? {}, timestamp: pino.stdTimeFunctions.isoTime };
  const target = options.destination === undefined ? pino(settings) : pino(settings, options.destination);
  return wrap(target);
}

function wrap(target: Pino): Logger {
  const line = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: LogFields) => {
    if (target.isLevelEnabled(level)) target[level](redactFields(fields), message);
  };
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
  };
}

export function redactFields(fields: LogFields = {}): LogFields {
  return redactValue(fields, 0) as LogFields;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string')
    return value.replace(URL_PASSWORD, `$1:${REDACTED}@`).replace(BEARER, `$1 ${REDACTED}`);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (value instanceof Error) {
    return { name: value.name, message: redactValue(value.message, depth), stack: redactValue(value.stack, depth) };
  }
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    SECRET_KEY.test(key) ? REDACTED : redactValue(item, depth + 1),
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}
