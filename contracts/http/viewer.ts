import * as z from 'zod';
import { DecimalString, TaskId, Timestamp } from '../ids.ts';

/** `stale`: no new picture for a while. `disconnected`: the browser's process is not heard. `ended`: what is shown is history. */
export const ViewState = z.enum(['live', 'stale', 'disconnected', 'ended']);
export type ViewState = z.infer<typeof ViewState>;

/** Why a page gives no picture (VW-04). */
export const WithheldReason = z.enum(['password', 'payment', 'one_time_code', 'moving', 'unanswered', 'no_page']);

export const FrameHeadView = z.object({
  /** Counts upwards within its session. */
  frame_id: DecimalString,
  captured_time: Timestamp,
  document_generation: z.string(),
  withheld: WithheldReason.nullable(),
  /** Without query and fragment; empty when withheld. */
  url: z.string(),
  title: z.string(),
  width: z.int().nonnegative(),
  height: z.int().nonnegative(),
});
export type FrameHeadView = z.infer<typeof FrameHeadView>;

export const BrowserSessionView = z.object({
  session_id: z.string(),
  task_id: z.string(),
  /** Address of the work it serves. */
  owner: z.string(),
  state: z.enum(['open', 'disconnected', 'ended']),
  opened_time: Timestamp,
  ended_time: Timestamp.nullable(),
});
export type BrowserSessionView = z.infer<typeof BrowserSessionView>;

export const BrowserSessionQuery = z.strictObject({ task_id: TaskId });
/** Newest first. */
export const BrowserSessionList = z.object({ sessions: z.array(BrowserSessionView) });
/** Newest first; the pictures come over the socket, `view_frame`. */
export const FrameList = z.object({ session: BrowserSessionView, frames: z.array(FrameHeadView) });

/** Names one window; a ticket works only where it was asked for. */
export const ViewerClientId = z.string().regex(/^[A-Za-z0-9_-]{8,80}$/);

export const CreateViewerTicket = z.strictObject({ client_id: ViewerClientId });
export const ViewerTicketView = z.object({
  ticket: z.string(),
  scope: z.enum(['view']),
  expires_time: Timestamp,
});
export type ViewerTicketView = z.infer<typeof ViewerTicketView>;

export const ExchangeViewerTicket = z.strictObject({
  ticket: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  client_id: ViewerClientId,
});
export const ViewerGrantView = z.object({
  grant_id: z.string(),
  session_id: z.string(),
  scope: z.enum(['view']),
  expires_time: Timestamp,
});
export type ViewerGrantView = z.infer<typeof ViewerGrantView>;

export const ViewerGrantId = z.string().regex(/^vwg_[A-Za-z0-9_-]{8,80}$/);
export { SessionId as ViewerSessionId } from '../ids.ts';
