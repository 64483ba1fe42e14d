import * as z from 'zod';
import { Language } from '../ids.ts';

export const Health = z.object({ status: z.enum(['ok']), version: z.string(), uptime_s: z.number() });

const Part = z.object({ ok: z.boolean(), detail: z.string() });
/** `ready` really asks the database, and really starts the browser where it runs in this process. */
export const Ready = z.object({
  ready: z.boolean(),
  database: Part,
  wire: Part,
  browser: Part,
  library: Part,
  /** Whether living processes run every kind of actor. */
  workers: Part,
  engine: z.string(),
});
export type Ready = z.infer<typeof Ready>;

/** RFC 9457. `code` is from the closed list in contracts/errors.ts. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  instance: z.string().optional(),
  /** Milliseconds after which the same request may be sent again; absent: repeating it changes nothing. */
  retry_after_ms: z.int().nonnegative().optional(),
  details: z.record(z.string(), z.json()).optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** Exchanges the one-time token that `npm start` printed for a session cookie. */
export const SignIn = z.strictObject({ token: z.string().min(16).max(200) });
export const SessionView = z.object({
  signed_in: z.boolean(),
  project: z.string(),
  version: z.string(),
  engine: z.string(),
  /** What the installation speaks when the browser's own language is neither. */
  language: Language,
});
export type SessionView = z.infer<typeof SessionView>;
