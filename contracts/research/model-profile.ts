import * as z from 'zod';
import { ResourceLimits } from '../actors/limiter.ts';

export const ModelProtocol = z.enum(['anthropic_messages', 'openai_responses', 'openai_chat']);
export type ModelProtocol = z.infer<typeof ModelProtocol>;

/** Money for a million tokens, as text: a binary fraction would not be the price that was stated. */
const Price = z.string().regex(/^\d{1,9}(?:\.\d{1,9})?$/, 'a price is text in quotes, like "0.25"');

/** A price that is missing is unknown. It is never taken for free. */
export const ModelPrices = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/),
  version: z.string().min(1).max(100),
  /** The day on which the price list was read. */
  date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  per_million: z.strictObject({
    input: Price.optional(),
    cached_input: Price.optional(),
    cache_write: Price.optional(),
    output: Price.optional(),
  }),
});
export type ModelPrices = z.infer<typeof ModelPrices>;

const Effort = z.string().min(1).max(20);

/** How the wish to think harder or less is put to the endpoint. */
export const Thinking = z.discriminatedUnion('transport', [
  z.strictObject({ transport: z.literal('none') }),
  /** Anthropic: a number of tokens to think with. */
  z.strictObject({
    transport: z.literal('budget'),
    budgets: z.strictObject({ low: z.int().min(1024), medium: z.int().min(1024), high: z.int().min(1024) }),
  }),
  /** Anthropic: the model decides, an effort steers it. `off` null: it cannot be switched off. */
  z.strictObject({
    transport: z.literal('adaptive'),
    off: z.enum(['disabled', 'between_tools']).nullable(),
    efforts: z.strictObject({ low: Effort, medium: Effort, high: Effort }),
  }),
  /** OpenAI and compatible: a word. `off` null: nothing is sent. */
  z.strictObject({
    transport: z.literal('effort'),
    efforts: z.strictObject({ off: Effort.nullable(), low: Effort, medium: Effort, high: Effort }),
  }),
]);
export type Thinking = z.infer<typeof Thinking>;

export const ModelProfile = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
    version: z.string().min(1).max(40),
    protocol: ModelProtocol,
    model: z.string().min(1).max(200),
    base_url: z.url({ protocol: /^https?$/ }),
    /** Variable of the server's environment that holds the key; the same name with `_FILE` names a file that does. */
    key_variable: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
    context_window: z.int().positive(),
    max_output_tokens: z.int().positive(),
    parallel_tools: z.boolean(),
    /** False: the endpoint refuses to be told that a tool must be called. */
    forced_tools: z.boolean(),
    structured_output: z.enum(['json_schema', 'json_object', 'tool', 'prompt']),
    thinking: Thinking,
    /** Which thoughts go back: none, those since the last user message, or all. */
    reasoning_replay: z.enum(['never', 'tool_turns', 'always']),
    /** Chat completions only: servers disagree about the name. */
    output_limit_field: z.enum(['max_tokens', 'max_completion_tokens']).default('max_tokens'),
    prices: ModelPrices.optional(),
    /** How many calls at once and by the minute; what is missing is the product's own. */
    limits: ResourceLimits.partial().optional(),
  })
  .refine(({ max_output_tokens: output, context_window: window }) => output <= window, {
    path: ['max_output_tokens'],
    message: 'more output than the window holds',
  })
  .refine(({ protocol, thinking }) => fits(protocol, thinking.transport), {
    path: ['thinking', 'transport'],
    message: 'the protocol knows no such setting',
  })
  .refine(({ protocol, structured_output: mode }) => protocol !== 'anthropic_messages' || mode !== 'json_object', {
    path: ['structured_output'],
    message: 'the protocol knows no such mode',
  });
export type ModelProfile = z.infer<typeof ModelProfile>;

function fits(protocol: ModelProtocol, transport: Thinking['transport']): boolean {
  if (transport === 'none') return true;
  return (transport === 'effort') === (protocol !== 'anthropic_messages');
}
