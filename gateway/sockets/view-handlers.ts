import type * as z from 'zod';
import { fail } from '#contracts/errors.ts';
import { Unview, View, ViewFrame, ViewRefresh } from '#contracts/sockets/protocol.ts';
import type { GatewayDependencies } from '../dependencies.ts';
import { requireGrant } from '../viewer/admission.ts';
import type { GatewaySocket } from './subscription.ts';
import { Viewing } from './viewing.ts';

const MAX_VIEWS = 8;

/** Serves the looks of one socket; returns what ends all of them. */
export function serveViews(
  gateway: GatewayDependencies,
  socket: GatewaySocket,
  answer: (ack: unknown, work: () => Promise<unknown>) => void,
  parse: <S extends z.ZodType>(schema: S, body: unknown) => z.output<S>,
): () => void {
  const views = new Map<string, Viewing>();
  const leave = (sessionId: string): void => {
    views.get(sessionId)?.stop();
    views.delete(sessionId);
  };
  const requireView = (sessionId: string): Viewing =>
    views.get(sessionId) ?? fail('resource.not_found', 'this session is not being viewed here');

  socket.on('view', (body, ack) =>
    answer(ack, async () => {
      const asked = parse(View, body);
      const { project, subject } = socket.data;
      const grant = await requireGrant(gateway, project, subject, asked.grant_id);
      if (grant.sessionId !== asked.session_id || grant.clientId !== asked.client_id) {
        fail('resource.not_found', 'there is no such grant, or it has ended');
      }
      const session = await gateway.viewer.session(grant);
      if (session === null) return fail('resource.not_found', 'there is no such browser session');
      if (!socket.connected) return undefined;
      leave(session.sessionId);
      if (views.size >= MAX_VIEWS) fail('request.rate_limited', `a socket may view at most ${MAX_VIEWS} sessions`);
      const view = new Viewing(gateway, socket, grant, {
        // Whoever opens an ended session wants to see that one.
        follow: session.endedAtMs === null,
        onEnd: () => views.delete(session.sessionId),
      });
      views.set(session.sessionId, view);
      view.start();
      return undefined;
    }),
  );
  socket.on('unview', (body) => {
    const parsed = Unview.safeParse(body);
    if (parsed.success) leave(parsed.data.session_id);
  });
  socket.on('view_refresh', (body, ack) =>
    answer(ack, async () => requireView(parse(ViewRefresh, body).session_id).refresh()),
  );
  socket.on('view_frame', (body, ack) =>
    answer(ack, async () => {
      const { session_id, frame_id } = parse(ViewFrame, body);
      await requireView(session_id).recall(Number(frame_id));
    }),
  );
  return () => [...views.keys()].forEach(leave);
}
