import * as z from 'zod';
import { FailureCode } from '../errors.ts';
import { ModelProtocol } from './model-profile.ts';

const ToolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const JsonObject = z.record(z.string(), z.json());

/** What the product itself wrote. */
export const TextPart = z.strictObject({ kind: z.literal('text'), text: z.string() });
/** What somebody else wrote: pages, files, snippets. It reaches a model between delimiters that its author cannot know. */
export const UntrustedPart = z.strictObject({
  kind: z.literal('untrusted'),
  label: z.string().max(200),
  text: z.string(),
});
export const ContentPart = z.discriminatedUnion('kind', [TextPart, UntrustedPart]);
export type ContentPart = z.infer<typeof ContentPart>;

/** What a model thought. `replay` is the endpoint's own block, of use to the same profile only. */
export const ReasoningPart = z.strictObject({
  kind: z.literal('reasoning'),
  profile: z.string(),
  text: z.string(),
  replay: z.json(),
});
export type ReasoningPart = z.infer<typeof ReasoningPart>;

export const ToolCallPart = z.strictObject({
  kind: z.literal('tool_call'),
  id: z.string().min(1),
  name: ToolName,
  arguments: JsonObject,
});
export type ToolCallPart = z.infer<typeof ToolCallPart>;

export const AssistantPart = z.discriminatedUnion('kind', [TextPart, ReasoningPart, ToolCallPart]);
export type AssistantPart = z.infer<typeof AssistantPart>;

/** A system message has no room for untrusted text. */
export const ModelMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.array(TextPart).min(1) }),
  z.strictObject({ role: z.literal('user'), content: z.array(ContentPart).min(1) }),
  z.strictObject({ role: z.literal('assistant'), content: z.array(AssistantPart).min(1) }),
  z.strictObject({
    role: z.literal('tool'),
    call_id: z.string().min(1),
    content: z.array(ContentPart),
    is_error: z.boolean(),
  }),
]);
export type ModelMessage = z.infer<typeof ModelMessage>;

export const ToolDefinition = z.strictObject({
  name: ToolName,
  description: z.string().min(1).max(4000),
  /** JSON schema of an object. */
  input_schema: JsonObject,
});
export type ToolDefinition = z.infer<typeof ToolDefinition>;

export const ReasoningLevel = z.enum(['off', 'low', 'medium', 'high']);
export type ReasoningLevel = z.infer<typeof ReasoningLevel>;

export const ModelRequest = z.strictObject({
  messages: z.array(ModelMessage).min(1),
  tools: z
    .array(ToolDefinition)
    .max(64)
    .refine((tools) => new Set(tools.map(({ name }) => name)).size === tools.length, 'two tools have the same name'),
  tool_choice: z.enum(['auto', 'none', 'required']),
  /** The answer is to be JSON of this schema; null for free text. */
  output: z.strictObject({ name: ToolName, schema: JsonObject }).nullable(),
  reasoning: ReasoningLevel,
  /** Reasoning counts too. */
  max_output_tokens: z.int().positive(),
  /** Identity of the call: the same key is the same money. */
  idempotency_key: z.string().min(1).max(200),
});
export type ModelRequest = z.infer<typeof ModelRequest>;

const Tokens = z.int().nonnegative().nullable();

/** Null is what the endpoint did not say; it is never taken for nothing. */
export const ModelUsage = z.strictObject({
  /** All input, cached or not. */
  input_tokens: Tokens,
  cached_input_tokens: Tokens,
  cache_write_tokens: Tokens,
  /** All output, reasoning included. */
  output_tokens: Tokens,
  reasoning_tokens: Tokens,
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** `rejected`: the endpoint answered with an error instead of beginning; `sent`: it may have worked, and may charge. */
export const Dispatch = z.enum(['not_sent', 'rejected', 'sent']);
export type Dispatch = z.infer<typeof Dispatch>;

export const ModelUsageReport = z.strictObject({
  call_id: z.string(),
  profile: z.string(),
  protocol: ModelProtocol,
  dispatch: Dispatch,
  usage: ModelUsage,
  /** What became of the call on the wire; the answer itself is judged afterwards. */
  failure: FailureCode.nullable(),
  request_id: z.string().nullable(),
  model: z.string().nullable(),
  duration_ms: z.number().nonnegative(),
});
export type ModelUsageReport = z.infer<typeof ModelUsageReport>;

export const ModelResult = z.strictObject({
  text: z.string(),
  structured: z.json(),
  tool_calls: z.array(ToolCallPart),
  /** To be put back as the assistant's message when the conversation goes on. */
  content: z.array(AssistantPart),
  stop_reason: z.enum(['end', 'tool_calls']),
  usage: ModelUsage,
  /** The setting as it was sent; null when the profile has none for the wish. */
  reasoning: z.string().nullable(),
  request_id: z.string().nullable(),
  model: z.string().nullable(),
});
export type ModelResult = z.infer<typeof ModelResult>;

/** A piece of an answer that is still coming. It has passed no check. */
export type ModelDelta = { readonly kind: 'text' | 'reasoning' | 'tool_arguments'; readonly text: string };
