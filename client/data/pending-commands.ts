import type { TaskCommandName } from './api.ts';
import { backoffMs } from './backoff.ts';
import type { KeyValueStorage } from './storage.ts';
import { isTransient, toProblem, type ApiProblem } from './problem.ts';

/*
 * Commands that were asked for and are not yet known to be stored.
 * Owns:     the list, kept in storage (one key a command, so that tabs do not overwrite each other), and its repetition.
 * Owns not: how a command is sent (given), what the screen shows.
 *   1. A command leaves the list only when the server stored it or refused it for good.
 *   2. It is repeated with the same id, also after a reload: the server sees one command.
 *   3. Commands of one conversation are sent in the order they were made.
 */

export type PendingMessage = {
  readonly kind: 'message';
  readonly id: string;
  readonly conversationId: string;
  /** Set when the conversation is new: it is created first. */
  readonly title: string | null;
  readonly text: string;
  readonly mode: string;
  readonly madeMs: number;
};
export type PendingTaskCommand = {
  readonly kind: 'task';
  readonly id: string;
  readonly taskId: string;
  readonly command: TaskCommandName;
  readonly body: Readonly<Record<string, unknown>>;
  readonly madeMs: number;
};
export type PendingCommand = PendingMessage | PendingTaskCommand;

export type Outcome = { readonly ok: true } | { readonly ok: false; readonly problem: ApiProblem };

export type PendingDeps = {
  readonly storage: KeyValueStorage;
  send(command: PendingCommand): Promise<unknown>;
  settled(command: PendingCommand, outcome: Outcome): void;
  changed(waiting: readonly PendingCommand[]): void;
  after(delayMs: number, run: () => void): void;
  random(): number;
};

export type PendingCommands = { add(command: PendingCommand): void; flush(): void; list(): readonly PendingCommand[] };

const PREFIX = 'yunsou.pending.';

export function createPendingCommands(deps: PendingDeps): PendingCommands {
  const waiting = new Map<string, PendingCommand>(readStored(deps.storage).map((one) => [one.id, one]));
  const busy = new Set<string>();
  const attempts = new Map<string, number>();

  const laneOf = (command: PendingCommand): string =>
    command.kind === 'message' ? command.conversationId : `${command.taskId}/${command.command}`;
  const list = (): readonly PendingCommand[] => [...waiting.values()];

  function settle(command: PendingCommand, outcome: Outcome): void {
    waiting.delete(command.id);
    attempts.delete(command.id);
    deps.storage.removeItem(PREFIX + command.id);
    deps.settled(command, outcome);
    deps.changed(list());
  }

  async function dispatch(command: PendingCommand): Promise<void> {
    const lane = laneOf(command);
    busy.add(lane);
    const outcome = await deps.send(command).then(
      (): Outcome => ({ ok: true }),
      (thrown: unknown): Outcome => ({ ok: false, problem: toProblem(thrown) }),
    );
    busy.delete(lane);
    if (!outcome.ok && isTransient(outcome.problem)) {
      const attempt = attempts.get(command.id) ?? 0;
      attempts.set(command.id, attempt + 1);
      deps.changed(list());
      deps.after(backoffMs(attempt, deps.random()), flush);
      return;
    }
    if (!outcome.ok && outcome.problem.status === 401) return;
    settle(command, outcome);
    flush();
  }

  function flush(): void {
    const lanes = new Set(busy);
    for (const command of list().toSorted((a, b) => a.madeMs - b.madeMs)) {
      const lane = laneOf(command);
      if (lanes.has(lane)) continue;
      lanes.add(lane);
      void dispatch(command);
    }
  }

  return {
    add(command) {
      waiting.set(command.id, command);
      deps.storage.setItem(PREFIX + command.id, JSON.stringify(command));
      deps.changed(list());
      flush();
    },
    flush,
    list,
  };
}

function readStored(storage: KeyValueStorage): PendingCommand[] {
  const found: PendingCommand[] = [];
  for (let index = 0; index < storage.length; index += 1) {
    const key = storage.key(index);
    if (key === null || !key.startsWith(PREFIX)) continue;
    const command = parseCommand(storage.getItem(key));
    if (command !== null) found.push(command);
  }
  return found;
}

/** Storage can be edited or half written; what cannot be read is not a command. */
function parseCommand(stored: string | null): PendingCommand | null {
  try {
    const value = JSON.parse(stored ?? 'null') as PendingCommand | null;
    return value !== null && typeof value.id === 'string' && (value.kind === 'message' || value.kind === 'task')
      ? value
      : null;
  } catch {
    return null;
  }
}
