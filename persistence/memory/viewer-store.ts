import type { Clock } from '#contracts/ports/clock.ts';
import type {
  FrameHead,
  HowToLook,
  KeptFrame,
  NewFrame,
  NewGrant,
  OpenedSession,
  ViewerBinding,
  ViewerGrant,
  ViewerLook,
  ViewerSession,
  ViewerSessionKey,
  ViewerStore,
  ViewerTicket,
} from '#contracts/ports/viewer.ts';

type Session = OpenedSession & {
  readonly order: number;
  readonly openedAtMs: number;
  beatAtMs: number;
  endedAtMs: number | null;
  count: number;
  frames: (FrameHead & { readonly sinceMs: number; readonly bytes: Uint8Array | null })[];
};
type Admission = ViewerTicket & { readonly madeAtMs: number; grant: NewGrant | null; isRevoked: boolean };

const nameOf = ({ project, sessionId }: ViewerSessionKey): string => `${project}/${sessionId}`;

/** The twin of the store in PostgreSQL, with the clock of a test. */
export class MemoryViewerStore implements ViewerStore {
  readonly #clock: Clock;
  readonly #sessions = new Map<string, Session>();
  readonly #admissions = new Map<string, Admission>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  openSession(session: OpenedSession): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const known = this.#sessions.get(nameOf(session));
    if (known !== undefined) Object.assign(known, { beatAtMs: nowMs, endedAtMs: null });
    else {
      const order = this.#sessions.size;
      const started = { openedAtMs: nowMs, beatAtMs: nowMs, endedAtMs: null, count: 0, frames: [] };
      this.#sessions.set(nameOf(session), { ...session, ...started, order });
    }
    return Promise.resolve();
  }

  beat(sessions: readonly ViewerSessionKey[]): Promise<void> {
    for (const key of sessions) {
      const session = this.#sessions.get(nameOf(key));
      if (session?.endedAtMs === null) session.beatAtMs = this.#clock.nowMs();
    }
    return Promise.resolve();
  }

  endSession(key: ViewerSessionKey): Promise<void> {
    const session = this.#sessions.get(nameOf(key));
    if (session !== undefined) session.endedAtMs ??= this.#clock.nowMs();
    return Promise.resolve();
  }

  addFrame(key: ViewerSessionKey, { ageMs, ...frame }: NewFrame, keep: number): Promise<void> {
    const session = this.#sessions.get(nameOf(key));
    if (session === undefined) return Promise.resolve();
    session.count += 1;
    const bytes = frame.withheld === null ? frame.bytes : null;
    session.frames.push({ ...frame, bytes, seq: session.count, sinceMs: this.#clock.nowMs() - ageMs });
    session.frames = session.frames.slice(-keep);
    return Promise.resolve();
  }

  trim(maxAgeMs: number): Promise<void> {
    const beforeMs = this.#clock.nowMs() - maxAgeMs;
    for (const [name, session] of this.#sessions) {
      session.frames = session.frames.filter(({ sinceMs }) => sinceMs >= beforeMs);
      if (session.beatAtMs < beforeMs) this.#sessions.delete(name);
    }
    for (const [hash, { madeAtMs }] of this.#admissions) if (madeAtMs < beforeMs) this.#admissions.delete(hash);
    return Promise.resolve();
  }

  sessionsOfTask(project: string, taskId: string, limit: number): Promise<readonly ViewerSession[]> {
    const found = [...this.#sessions.values()].filter((one) => one.project === project && one.taskId === taskId);
    return Promise.resolve(newestFirst(found).slice(0, limit).map(this.#present));
  }

  session(key: ViewerSessionKey): Promise<ViewerSession | null> {
    const session = this.#sessions.get(nameOf(key));
    return Promise.resolve(session === undefined ? null : this.#present(session));
  }

  look(key: ViewerSessionKey, { follow, seen }: HowToLook): Promise<ViewerLook | null> {
    const asked = this.#sessions.get(nameOf(key));
    if (asked === undefined) return Promise.resolve(null);
    const isNext = ({ project, taskId, owner, order }: Session): boolean =>
      project === asked.project && taskId === asked.taskId && owner === asked.owner && order >= asked.order;
    const shown = (follow ? newestFirst([...this.#sessions.values()].filter(isNext))[0] : asked) ?? asked;
    const newest = shown.frames.at(-1);
    if (newest === undefined) return Promise.resolve({ session: this.#present(shown), frame: null });
    const isSeen = seen?.sessionId === shown.sessionId && seen.seq === newest.seq;
    const frame = this.#aged(newest);
    return Promise.resolve({ session: this.#present(shown), frame: isSeen ? { ...frame, bytes: null } : frame });
  }

  frames(key: ViewerSessionKey, limit: number): Promise<readonly FrameHead[]> {
    const kept = this.#sessions.get(nameOf(key))?.frames ?? [];
    const heads = kept.toReversed().slice(0, limit);
    return Promise.resolve(heads.map(({ bytes: _bytes, sinceMs: _sinceMs, ...head }) => head));
  }

  frame(key: ViewerSessionKey, seq: number): Promise<KeptFrame | null> {
    const kept = this.#sessions.get(nameOf(key))?.frames.find((frame) => frame.seq === seq);
    return Promise.resolve(kept === undefined ? null : this.#aged(kept));
  }

  addTicket(ticket: ViewerTicket): Promise<void> {
    this.#admissions.set(ticket.hash, {
      ...ticket,
      madeAtMs: this.#clock.nowMs(),
      grant: null,
      isRevoked: false,
    });
    return Promise.resolve();
  }

  exchange(hash: string, by: ViewerBinding, grant: NewGrant, nowMs: number): Promise<ViewerGrant | null> {
    const ticket = this.#admissions.get(hash);
    if (ticket === undefined || ticket.grant !== null || ticket.isRevoked || ticket.expiresAtMs <= nowMs)
      return Promise.resolve(null);
    const isSame = (['project', 'subject', 'clientId', 'scope'] as const).every((key) => ticket[key] === by[key]);
    if (!isSame) return Promise.resolve(null);
    ticket.grant = grant;
    return Promise.resolve(grantOf(ticket, grant));
  }

  grant(project: string, grantId: string, nowMs: number): Promise<ViewerGrant | null> {
    for (const ticket of this.#granted(project, grantId))
      if (!ticket.isRevoked && ticket.grant.endsAtMs > nowMs) return Promise.resolve(grantOf(ticket, ticket.grant));
    return Promise.resolve(null);
  }

  async renew(project: string, grantId: string, endsAtMs: number, nowMs: number): Promise<ViewerGrant | null> {
    if ((await this.grant(project, grantId, nowMs)) === null) return null;
    for (const ticket of this.#granted(project, grantId)) ticket.grant = { grantId, endsAtMs };
    return this.grant(project, grantId, nowMs);
  }

  revoke(project: string, grantId: string): Promise<void> {
    for (const ticket of this.#granted(project, grantId)) ticket.isRevoked = true;
    return Promise.resolve();
  }

  revokeSubject(subject: string): Promise<void> {
    for (const ticket of this.#admissions.values()) if (ticket.subject === subject) ticket.isRevoked = true;
    return Promise.resolve();
  }

  #granted(project: string, grantId: string): (Admission & { grant: NewGrant })[] {
    const isIt = (ticket: Admission): ticket is Admission & { grant: NewGrant } =>
      ticket.project === project && ticket.grant?.grantId === grantId;
    return [...this.#admissions.values()].filter(isIt);
  }

  #aged({ sinceMs, ...frame }: Session['frames'][number]): KeptFrame {
    return { ...frame, ageMs: this.#clock.nowMs() - sinceMs };
  }

  readonly #present = (session: Session): ViewerSession => {
    const { project, sessionId, taskId, owner, openedAtMs, endedAtMs, beatAtMs } = session;
    const sinceBeatMs = this.#clock.nowMs() - beatAtMs;
    return { project, sessionId, taskId, owner, openedAtMs, endedAtMs, sinceBeatMs };
  };
}

const newestFirst = (sessions: readonly Session[]): Session[] => sessions.toSorted((a, b) => b.order - a.order);

function grantOf(ticket: ViewerTicket, grant: NewGrant): ViewerGrant {
  const { project, sessionId, subject, clientId, scope } = ticket;
  return { project, sessionId, subject, clientId, scope, ...grant };
}
