import * as z from 'zod';

const VISIBLE = /[^\p{C}\p{Z}\u115F\u1160\u2800\u3164\uFFA0]/u;

/** Text that a person typed: up to `maxChars` UTF-16 code units, at least one of them visible. Kept as it is, never trimmed. */
export const typedText = (maxChars: number) =>
  z.string().min(1).max(maxChars).regex(VISIBLE, 'expected at least one visible character');
