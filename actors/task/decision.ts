import type { TaskEventType } from '#contracts/actors/task.ts';
import type { TaskReport } from '#contracts/actors/turn.ts';
import type { ActorAddress, ActorEvent } from '#contracts/envelope.ts';
import type { Failure } from '#contracts/errors.ts';
import { suffixOf } from '#contracts/ids.ts';
import { publish, reply, send, setFence, spawn, write, type Request } from '#runtime/core/requests.ts';
import type { TaskState } from './contract.ts';
import { viewTask } from './view.ts';

/** Time of the step, as the runtime puts it on every event. */
export const timeOf = (event: object): string => ('at' in event && typeof event.at === 'string' ? event.at : '');

type Operation = NonNullable<TaskState['pending']>;

function operationIn(event: object): Operation | null {
  if (!('operation_id' in event) || !('request_id' in event)) return null;
  const { operation_id, request_id } = event;
  return typeof operation_id === 'string' && typeof request_id === 'string' ? { operation_id, request_id } : null;
}

/**
 * What one event changes and asks for. Rules fill it in; `settle` closes it with the task's row,
 * so that the row people read is always written in the commit that made it true.
 */
export class Decision {
  state: TaskState;
  readonly at: string;
  readonly #requests: Request[] = [];

  constructor(state: TaskState, event: object) {
    this.state = state;
    this.at = timeOf(event);
  }

  set(change: Partial<TaskState>): this {
    this.state = { ...this.state, ...change };
    return this;
  }

  publish(type: TaskEventType, data: Readonly<Record<string, unknown>> = {}): this {
    this.#requests.push(publish(type, data));
    return this.set({ event_seq: this.state.event_seq + 1 });
  }

  send(to: ActorAddress, event: ActorEvent, priority: 'normal' | 'operator' = 'normal'): this {
    this.#requests.push(send(to, event, { priority }));
    return this;
  }

  /** Under the task's own fence: it can commit nothing once the fence moved. */
  spawnFenced(kind: string, id: string, input: unknown): this {
    this.#requests.push(
      spawn(kind, id, input, { fence: { scope: fenceScope(this.state), generation: this.state.generation } }),
    );
    return this;
  }

  spawnFree(kind: string, id: string, input: unknown): this {
    this.#requests.push(spawn(kind, id, input, { fence: null }));
    return this;
  }

  /** Moves the fence to the next generation; everything spawned under an older one is out. */
  moveFence(open: boolean): this {
    this.set({ generation: this.state.generation + 1 });
    this.#requests.push(setFence(fenceScope(this.state), this.state.generation, open));
    return this;
  }

  write(table: string, row: Readonly<Record<string, unknown>>): this {
    this.#requests.push(write(table, row));
    return this;
  }

  /** Tells the conversation, when the task belongs to a turn of one. */
  tellTurn(report: { readonly type: TaskReport['type'] } & Readonly<Record<string, unknown>>): this {
    const { conversation_id, turn_id } = this.state.request;
    if (conversation_id === null || turn_id === null) return this;
    return this.send(`conversation/${conversation_id}`, { ...report, task_id: this.state.task_id, turn_id });
  }

  /** Answers a command; its operation is done because the transition is. */
  answer(event: object): this {
    const operation = operationIn(event);
    if (operation === null) return this;
    this.#record(operation, 'done', null);
    this.#requests.push(reply(this.#result(operation)));
    return this;
  }

  /** Answers a command that is done only when something else has answered: `conclude` follows. */
  accept(event: object): this {
    const operation = operationIn(event);
    if (operation === null) return this;
    this.#record(operation, 'accepted', null);
    this.#requests.push(reply(this.#result(operation)));
    return this.set({ pending: operation });
  }

  conclude(problem: Failure | null): this {
    const { pending } = this.state;
    if (pending !== null) this.#record(pending, problem === null ? 'done' : 'refused', problem);
    return this.set({ pending: null });
  }

  /** The command is possible here, and not with what it says. */
  refuse(event: object, problem: Failure): this {
    const operation = operationIn(event);
    if (operation === null) return this;
    this.#record(operation, 'refused', problem);
    this.#requests.push(reply({ problem }));
    return this;
  }

  #result({ operation_id }: Operation) {
    return { operation_id, task_id: this.state.task_id, event_seq: String(this.state.event_seq) };
  }

  #record(operation: Operation, status: 'accepted' | 'done' | 'refused', problem: Failure | null): void {
    this.write('operation', {
      id: operation.operation_id,
      actor: `task/${this.state.task_id}`,
      request_id: operation.request_id,
      status,
      result: { ...this.#result(operation), status: this.state.status },
      problem,
    });
  }

  settle(): { state: TaskState; requests: readonly Request[] } {
    const { state } = this;
    const row = {
      id: state.task_id,
      conversation_id: state.request.conversation_id,
      turn_id: state.request.turn_id,
      parent_task_id: state.request.parent_task_id,
      status: state.status,
      mode: state.spec?.mode ?? 'quick_search',
      view: viewTask(state),
      updated_at: this.at,
    };
    return { state, requests: [...this.#requests, write('task', row)] };
  }
}

export const fenceScope = (state: Pick<TaskState, 'task_id'>): string => `task:${state.task_id}`;
export const taskAddress = (state: Pick<TaskState, 'task_id'>): ActorAddress => `task/${state.task_id}`;
export const runId = (state: Pick<TaskState, 'task_id' | 'run'>): string =>
  `run_${suffixOf(state.task_id)}-${state.run}`;
