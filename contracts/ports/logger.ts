export type LogFields = { readonly [key: string]: unknown };

/** Structured log. The message is a constant sentence; what varies goes into the fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {}
