// Viewing
//
// One look at one browser session, on one socket.
// Owns:     what the viewer has seen, how current it is told to be, and the end of the look.
// Owns not: pictures (who has the browser takes them), grants (viewer/admission.ts). It has no way to touch a page.
//
//   VI1  The newest picture only: while the socket has not taken the last one, no other is read or sent.
//   VI2  How current a picture is comes from the clock, every second, not from whether others follow.
//   VI3  The grant is asked for again every second; when it has ended nothing more is sent.
//   VI4  Looking asks for pictures by a hint and changes nothing else, when it begins, goes on and ends.

import { fail } from '#contracts/errors.ts';
import type { ViewState } from '#contracts/http/viewer.ts';
import type { KeptFrame, ViewerGrant, ViewerLook, ViewerSessionKey } from '#contracts/ports/viewer.ts';
import type { ViewEnd } from '#contracts/sockets/protocol.ts';
import type { GatewayDependencies } from '../dependencies.ts';
import { presentFrame } from '../presenters/viewer.ts';
import { stateOf } from '../viewer/view-state.ts';
import { waitingOf, type GatewaySocket } from './subscription.ts';

const TICK_MS = 1_000;
const WANT_MS = 2_000;
const MAX_WAITING = 4;

export class Viewing {
  readonly #gateway: GatewayDependencies;
  readonly #socket: GatewaySocket;
  readonly #key: ViewerSessionKey;
  readonly #follow: boolean;
  readonly #onEnd: () => void;
  #grant: ViewerGrant;
  #shownId: string;
  #seen: { sessionId: string; seq: number } | null = null;
  #state: ViewState | null = null;
  #wantedMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  #cancel = (): void => undefined;

  /** `follow`: go on with the next session of the same work when this one ends. */
  constructor(
    gateway: GatewayDependencies,
    socket: GatewaySocket,
    grant: ViewerGrant,
    { follow, onEnd }: { readonly follow: boolean; readonly onEnd: () => void },
  ) {
    this.#gateway = gateway;
    this.#socket = socket;
    this.#grant = grant;
    this.#key = { project: grant.project, sessionId: grant.sessionId };
    this.#shownId = grant.sessionId;
    this.#follow = follow;
    this.#onEnd = onEnd;
  }

  start(): void {
    void this.#tick();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  refresh(): void {
    this.#wantedMs = this.#gateway.clock.nowMs();
    this.#gateway.viewerLink.want(this.#shownId);
  }

  /** Sends one kept picture of the session. */
  async recall(seq: number): Promise<void> {
    if (waitingOf(this.#socket) >= MAX_WAITING) fail('request.rate_limited', 'take the pictures that are on their way');
    if (!(await this.#mayLook())) return;
    const frame = await this.#gateway.viewer.frame(this.#key, seq);
    if (frame === null) return fail('resource.not_found', 'this picture is not kept');
    if (!this.#isStopped) this.#send(this.#key.sessionId, frame, { stale: true, is_history: true });
  }

  async #tick(): Promise<void> {
    try {
      if ((await this.#mayLook()) && waitingOf(this.#socket) === 0) await this.#look();
    } catch (err) {
      this.#gateway.logger.warn('a viewer could not be shown anything', { err });
      this.#end('failed');
    }
    if (!this.#isStopped) this.#cancel = this.#gateway.clock.after(TICK_MS, () => void this.#tick());
  }

  async #mayLook(): Promise<boolean> {
    const { project, grantId } = this.#grant;
    const isProject = this.#gateway.access.projects.includes(project);
    const nowMs = this.#gateway.clock.nowMs();
    const grant = isProject ? await this.#gateway.viewer.grant(project, grantId, nowMs) : null;
    if (this.#isStopped) return false;
    if (grant === null) this.#end(this.#grant.endsAtMs <= nowMs ? 'expired' : 'revoked');
    else this.#grant = grant;
    return grant !== null;
  }

  async #look(): Promise<void> {
    const look = await this.#gateway.viewer.look(this.#key, { follow: this.#follow, seen: this.#seen });
    if (this.#isStopped) return;
    if (look === null) return this.#end('gone');
    const state = stateOf(look);
    this.#tell(state, look);
    const { sessionId } = look.session;
    const { frame } = look;
    if (frame !== null && (this.#seen?.sessionId !== sessionId || this.#seen.seq !== frame.seq)) {
      this.#seen = { sessionId, seq: frame.seq };
      this.#send(sessionId, frame, { stale: state !== 'live', is_history: state === 'ended' });
    }
    const isDue = this.#gateway.clock.nowMs() - this.#wantedMs >= WANT_MS;
    if (isDue && (state === 'live' || state === 'stale')) this.refresh();
  }

  #tell(state: ViewState, { session, frame }: ViewerLook): void {
    if (state === this.#state && session.sessionId === this.#shownId) return;
    if (state === 'stale') this.#gateway.viewerLink.countStale();
    this.#state = state;
    this.#shownId = session.sessionId;
    this.#socket.emit('view_state', {
      session_id: this.#key.sessionId,
      shown_session_id: session.sessionId,
      state,
      age_ms: frame === null ? null : Math.max(0, Math.round(frame.ageMs)),
    });
  }

  #send(shownId: string, frame: KeptFrame, how: { readonly stale: boolean; readonly is_history: boolean }): void {
    const names = { session_id: this.#key.sessionId, shown_session_id: shownId };
    this.#socket.emit('frame', { ...names, ...presentFrame(frame), ...how, bytes: frame.bytes });
  }

  #end(reason: ViewEnd['reason']): void {
    if (this.#isStopped) return;
    this.stop();
    this.#socket.emit('view_end', { session_id: this.#key.sessionId, reason });
    this.#onEnd();
  }
}
