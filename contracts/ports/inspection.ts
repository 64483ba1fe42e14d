import type { ActorAddress } from '../envelope.ts';
import type { MachineGraph, OperatorCommand } from '../http/actors.ts';
import type {
  ActorRow,
  ActorStatus,
  BackwardPage,
  ConsumedMail,
  ConsumedMessage,
  EffectRow,
  Json,
  LoggedTransition,
  LogPlace,
  MailRow,
  ProjectLogPlace,
  ProjectTransition,
  SetAsideKind,
  StoredOperatorAction,
  StoredSetAside,
  TimerRow,
  TransitionRow,
} from './actor-store.ts';

export type InspectedActor = {
  readonly row: ActorRow;
  readonly state: Json;
  readonly context: Json;
  readonly parent: ActorAddress | null;
  readonly view: Json;
  readonly timers: readonly TimerRow[];
  readonly effects: readonly EffectRow[];
  /** Counted no further than 10,000. */
  readonly waitingMail: number;
  /** Why no code here can continue it. */
  readonly parked: string | null;
  readonly commands: readonly OperatorCommand[];
};
export type ListedActor = { readonly row: ActorRow; readonly state: Json };

export type OperatorOrder = {
  readonly project: string;
  readonly address: ActorAddress;
  readonly command: OperatorCommand;
  readonly requestId: string;
  readonly operationId: string;
  readonly caller: string;
};
export type RedriveOrder = {
  readonly project: string;
  readonly letterId: number;
  readonly requestId: string;
  readonly caller: string;
};
export type OrderAnswer = { readonly action: StoredOperatorAction; readonly consumed: ConsumedMessage };

/** What a host tells of a committed transition while somebody watches. */
export type TransitionHint = Pick<TransitionRow, 'index' | 'messageId' | 'from' | 'eventType' | 'outcome'> & {
  readonly address: ActorAddress;
  readonly seq: number;
  readonly state: Json;
  readonly atMs: number;
};
export type ProjectHint = {
  readonly rows: readonly TransitionHint[];
  /** Transitions that were too many to tell. */
  readonly skipped: number;
  /** Hints were lost on the way: nobody knows how many transitions. */
  readonly isLossy: boolean;
};

/**
 * How operators look into actors and act on them. Everything read is committed.
 *
 *   IX1  A watcher costs the actors nothing they wait for: hints are bounded, and sent only while somebody watches.
 *   IX2  An operator's action is recorded before it is carried out, and carried out once per request id.
 */
export interface Inspection {
  listActors(
    project: string,
    filter: { kind?: string; status?: ActorStatus; search?: string; after?: string; limit: number },
  ): Promise<readonly ListedActor[]>;
  readActor(project: string, address: ActorAddress): Promise<InspectedActor | null>;
  readTransitions(
    project: string,
    address: ActorAddress,
    after: LogPlace | null,
    limit: number,
  ): Promise<readonly LoggedTransition[]>;
  readProjectLog(project: string, after: ProjectLogPlace, limit: number): Promise<readonly ProjectTransition[]>;
  readMail(
    project: string,
    address: ActorAddress,
    page: { readonly after?: ConsumedMail; readonly limit: number },
  ): Promise<readonly MailRow[]>;
  listSetAside(project: string, kind: SetAsideKind, page: BackwardPage): Promise<readonly StoredSetAside[]>;
  listOperatorActions(
    project: string,
    page: BackwardPage & { readonly letterIds?: readonly number[] },
  ): Promise<readonly StoredOperatorAction[]>;
  /** `null`: nobody here knows the kind. */
  machine(kind: string): MachineGraph | null;
  /** The machine's configuration as XState spells it, functions by name. `null`: nobody here knows the kind. */
  machineConfig(kind: string): Json | null;
  /** Operator mail; answers when the actor took it. Throws `actor.forbidden_event` with the commands that the kind has. */
  command(order: OperatorOrder, timeoutMs: number): Promise<OrderAnswer>;
  /** Sends a dead letter again, under a new message id made of the letter's and the request's. */
  redrive(order: RedriveOrder): Promise<StoredOperatorAction>;
  /** Calls `listener` soon after commits of the project, a few times a second at most. Returns the function that stops it. */
  watchProject(project: string, listener: (hint: ProjectHint) => void): () => void;
  /** Calls `listener` with the newest commit of one actor, and now and then without one, in case a hint was lost. */
  watchActor(project: string, address: ActorAddress, listener: (seq: number | null) => void): () => void;
}
