import * as z from 'zod';
import {
  BrowserContextInput,
  BrowserContextOrder,
  ObservationSummary,
  type ReadSummary,
} from '#contracts/actors/browser-context.ts';

export const BrowserContextState = BrowserContextInput.extend({
  observation: ObservationSummary.nullable(),
  /** The single action in flight. */
  action: z.object({ kind: z.enum(['navigate', 'read']), action_id: z.string(), url: z.string() }).nullable(),
});
export type BrowserContextState = z.infer<typeof BrowserContextState>;

export const BrowserContextMail = z.union([
  BrowserContextOrder,
  z.object({ type: z.literal('child.fenced'), address: z.string() }),
]);

export type OpenInput = {
  readonly session_id: string;
  readonly task_id: string;
  readonly owner: string;
  readonly locale: string;
};
export type NavigateInput = OpenInput & { readonly action_id: string; readonly url: string };
export type ReadInput = OpenInput & {
  readonly action_id: string;
  readonly document_generation: string;
  readonly requested_url: string;
};
export type CloseInput = { readonly session_id: string };

export type Observed = { readonly observation: z.infer<typeof ObservationSummary> };
export type PageRead = { readonly page: z.infer<typeof ReadSummary> };
