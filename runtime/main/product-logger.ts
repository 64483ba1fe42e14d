import type { Logger } from '#contracts/ports/logger.ts';
import { createLogger } from '#runtime/telemetry/logger.ts';
import type { Config } from './config.ts';

/** Standard output belongs to answers and to the printed address; the log goes to standard error. */
export function createProductLogger(config: Config): Logger {
  return createLogger({ level: config.logLevel, destination: { write: (line) => void process.stderr.write(line) } });
}
