import * as z from 'zod';
import { Unread } from '../research/page.ts';

/** Why a text run or a control may not be what a person sees. `off_screen`: where no scrolling leads. */
export const Visibility = z.enum(['visible', 'off_screen', 'transparent', 'tiny', 'covered', 'aria_hidden']);
export type Visibility = z.infer<typeof Visibility>;

/** One frame of the page; `parent` is an index into the list of frames. */
export const ObservedFrame = z.object({
  origin: z.string(),
  url: z.string(),
  parent: z.int().nullable(),
});
export type ObservedFrame = z.infer<typeof ObservedFrame>;

export const TextRun = z.object({
  kind: z.literal('text'),
  frame: z.int().nonnegative(),
  text: z.string(),
  visibility: Visibility,
});

/** BR-08: what may be done with a control under the permission of the session, and why not. */
export const Allowance = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('allowed') }),
  z.object({ verdict: z.literal('refused'), reason: z.string() }),
]);
export type Allowance = z.infer<typeof Allowance>;

/**
 * A control that can be named in an action. The handle is bound to what the control meant when it was seen: its frame and node, its
 * role and name, the text of the row it stands in, where it leads. When any of these changes, the handle is refused.
 */
export const Control = z.object({
  kind: z.literal('control'),
  handle: z.string(),
  frame: z.int().nonnegative(),
  role: z.string(),
  name: z.string(),
  /** Text of the row, list item or form around it; empty when there is none. */
  row: z.string(),
  /** What it holds now; of a secret field only that it is filled. */
  value: z.string().nullable(),
  is_secret: z.boolean(),
  is_disabled: z.boolean(),
  is_checked: z.boolean().nullable(),
  href: z.string().nullable(),
  form: z.object({ method: z.string(), action: z.string() }).nullable(),
  visibility: Visibility,
  actions: z.array(z.enum(['click', 'input'])),
  allowance: Allowance,
});
export type Control = z.infer<typeof Control>;

export const ObservedItem = z.discriminatedUnion('kind', [TextRun, Control]);
export type ObservedItem = z.infer<typeof ObservedItem>;

/** BR-03: what a page offers at one moment, bounded; `more` and `unread` say what is not in it. */
export const PageObservation = z.object({
  observation_id: z.string(),
  /** Of the main document: changes with every new one. */
  document_generation: z.string(),
  /** Counts changes of the address inside one document. */
  route_generation: z.int().nonnegative(),
  final_url: z.string(),
  title: z.string(),
  http_status: z.int().nullable(),
  content_type: z.string(),
  frames: z.array(ObservedFrame),
  /** In reading order. */
  items: z.array(ObservedItem),
  more: z.object({ controls: z.int().nonnegative(), texts: z.int().nonnegative() }),
  scroll: z.object({ at: z.int(), height: z.int(), view: z.int() }),
  unread: z.array(Unread),
});
export type PageObservation = z.infer<typeof PageObservation>;
