export type HostLimits = {
  /** Most messages of one actor in one commit. */
  readonly foldedMessages: number;
  readonly batchEntries: number;
  readonly batchBytes: number;
  /** How long a batch may wait for company; 0 sends it as soon as a writer is free. At most 3. */
  readonly lingerMs: number;
  readonly writers: number;
  /** Repairs every lost hint: mail, timers and effects are looked up this often. */
  readonly pollMs: number;
  readonly beatMs: number;
  /** A worker without a beat for so long is dead; three beats. */
  readonly deadAfterMs: number;
  readonly loadedMail: number;
  /** Most messages of one actor waiting in memory; the rest waits in the store. */
  readonly queuedPerActor: number;
  /** Most messages of all actors in memory; the rest waits in the store. */
  readonly queuedMessages: number;
  /** A receiver with more waiting mail is full: actors that write to it rest for `holdMs` after each commit. */
  readonly mailboxCap: number;
  readonly holdMs: number;
  readonly residentActors: number;
  readonly residentBytes: number;
  readonly runningEffects: number;
  readonly firedTimers: number;
  /** After so many failed attempts a message is a dead letter. */
  readonly attemptsPerMessage: number;
  /** How long `stop` waits for effects of class `once`. */
  readonly drainMs: number;
  /** Mail for a kind that no definition here knows waits so long for a worker that does. */
  readonly unknownKindMs: number;
  /** The log, and the events of ended actors, are kept so long; 0: for ever. */
  readonly keepLogMs: number;
  /** Checks actor-to-actor events and every context against their schemas: development and tests. */
  readonly checks: boolean;
};

export const DEFAULT_LIMITS: HostLimits = {
  foldedMessages: 32,
  batchEntries: 128,
  batchBytes: 256 * 1024,
  lingerMs: 0,
  writers: 2,
  pollMs: 1500,
  beatMs: 1000,
  deadAfterMs: 3000,
  loadedMail: 1024,
  queuedPerActor: 64,
  queuedMessages: 32_768,
  mailboxCap: 4096,
  holdMs: 100,
  residentActors: 10_000,
  residentBytes: 128 * 1024 * 1024,
  runningEffects: 64,
  firedTimers: 256,
  attemptsPerMessage: 3,
  drainMs: 5000,
  unknownKindMs: 600_000,
  keepLogMs: 0,
  checks: false,
};
