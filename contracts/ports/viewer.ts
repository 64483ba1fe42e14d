// Looking on at browser sessions: what is stored of them, and who may look
//
//   VP1  A session ends once and stays ended until it is opened again; its beat and the age of its frames are told by the
//        clock of the store, so that processes with other clocks agree.
//   VP2  Frames of a session are numbered upwards; only the newest few are kept. A withheld frame has no bytes.
//   VP3  A ticket is kept as a hash. It is exchanged once, before it expires, by the subject and client it was made for.
//   VP4  A grant ends by its time, by revocation, or with all others of its subject; an ended grant is never renewed.
//   VP5  Nothing of a project is found under the name of another one.
import type { WithheldReason } from './browser.ts';

export type ViewerSessionKey = { readonly project: string; readonly sessionId: string };

export type OpenedSession = ViewerSessionKey & {
  readonly taskId: string;
  /** Address of the work that the session serves; the next session of the same work goes on where this one ended. */
  readonly owner: string;
};

export type ViewerSession = OpenedSession & {
  readonly openedAtMs: number;
  readonly endedAtMs: number | null;
  readonly sinceBeatMs: number;
};

export type FrameHead = {
  /** Counts upwards within a session. */
  readonly seq: number;
  readonly capturedAtMs: number;
  readonly documentGeneration: string;
  readonly withheld: WithheldReason | null;
  /** Without query and fragment, which may carry secrets; empty for a withheld frame. */
  readonly url: string;
  readonly title: string;
  readonly width: number;
  readonly height: number;
};

export type NewFrame = Omit<FrameHead, 'seq'> & {
  readonly bytes: Uint8Array | null;
  /** How long ago it was captured when it is stored, by the clock that captured it. */
  readonly ageMs: number;
};

export type KeptFrame = FrameHead & { readonly ageMs: number; readonly bytes: Uint8Array | null };

/** `session` is the one asked for, or the one that went on with its work. */
export type ViewerLook = { readonly session: ViewerSession; readonly frame: KeptFrame | null };

export type HowToLook = {
  /** Show the newest session of the same work instead of an older one. */
  readonly follow: boolean;
  /** The frame that the viewer has: its bytes are not read again. */
  readonly seen: { readonly sessionId: string; readonly seq: number } | null;
};

/** Where the browser is: writes what it shows. */
export interface ViewerFeedStore {
  /** Idempotent; opens an ended session again. */
  openSession(session: OpenedSession): Promise<void>;
  beat(sessions: readonly ViewerSessionKey[]): Promise<void>;
  endSession(session: ViewerSessionKey): Promise<void>;
  /** Keeps the newest `keep` frames of the session. */
  addFrame(session: ViewerSessionKey, frame: NewFrame, keep: number): Promise<void>;
  /** Forgets sessions, frames and tickets that are older. */
  trim(maxAgeMs: number): Promise<void>;
}

export interface ViewerReads {
  sessionsOfTask(project: string, taskId: string, limit: number): Promise<readonly ViewerSession[]>;
  session(key: ViewerSessionKey): Promise<ViewerSession | null>;
  /** The newest frame. */
  look(key: ViewerSessionKey, how: HowToLook): Promise<ViewerLook | null>;
  /** Newest first, without bytes. */
  frames(key: ViewerSessionKey, limit: number): Promise<readonly FrameHead[]>;
  frame(key: ViewerSessionKey, seq: number): Promise<KeptFrame | null>;
}

/** `view` is the only thing that one may do; there is no way to act through a viewer. */
export type ViewerScope = 'view';

export type ViewerBinding = {
  readonly project: string;
  readonly subject: string;
  readonly clientId: string;
  readonly scope: ViewerScope;
};

export type ViewerTicket = ViewerBinding & {
  readonly sessionId: string;
  readonly hash: string;
  readonly expiresAtMs: number;
};
export type ViewerGrant = ViewerBinding & {
  readonly sessionId: string;
  readonly grantId: string;
  readonly endsAtMs: number;
};
export type NewGrant = { readonly grantId: string; readonly endsAtMs: number };

export interface ViewerAdmission {
  addTicket(ticket: ViewerTicket): Promise<void>;
  /** `null`: unknown, used, expired, or made for somebody else. */
  exchange(hash: string, by: ViewerBinding, grant: NewGrant, nowMs: number): Promise<ViewerGrant | null>;
  /** `null`: unknown or ended. */
  grant(project: string, grantId: string, nowMs: number): Promise<ViewerGrant | null>;
  renew(project: string, grantId: string, endsAtMs: number, nowMs: number): Promise<ViewerGrant | null>;
  /** Idempotent. */
  revoke(project: string, grantId: string): Promise<void>;
  /** Also the tickets that were not exchanged yet. */
  revokeSubject(subject: string): Promise<void>;
}

export interface ViewerStore extends ViewerFeedStore, ViewerReads, ViewerAdmission {}

/** What looking on says to the rest of the system; it reaches no page. */
export interface ViewerLink {
  /** Somebody looks at the session and would like a new picture. A hint: it may be lost. */
  want(sessionId: string): void;
  /** For the metrics: a picture that is looked at became old. */
  countStale(): void;
}
