import type { Language } from '#contracts/ids.ts';
import type { Json } from '#contracts/json.ts';
import { costOf, type ModelCost } from '#contracts/research/model-cost.ts';
import type { ContentPart, ModelMessage, ModelRequest } from '#contracts/research/model.ts';
import type { ModelProfile } from '#contracts/research/model-profile.ts';
import type { AnyModelPart, Brief } from './role-model.ts';
import { bytesOf, estimateTokens, packItems, type PackRecord } from './role-packing.ts';
import { wireSchema } from './role-schema.ts';

/** What was wrong with the answer before. */
export type Repair = { readonly answer: string | null; readonly problems: readonly string[] };

export type RequestParts = {
  readonly part: AnyModelPart;
  readonly prompt: string;
  readonly profile: ModelProfile;
  readonly language: Language;
  readonly brief: Brief;
  /** Notes of earlier runs: a hint, never a command. */
  readonly memory: readonly string[];
  readonly repair: Repair | null;
  readonly idempotencyKey: string;
};

export type BuiltRequest = { readonly request: ModelRequest; readonly record: PackRecord };

/** For what an endpoint adds around messages, and for what an estimate misses. */
const SAFETY_SHARE = 0.05;
const MESSAGE_TOKENS = 200;
const MAX_REPEATED_CHARS = 6000;

/** The request of one call; null when not even its own words fit into the window, or nothing of the material does. */
export function buildRequest(parts: RequestParts): BuiltRequest | null {
  const { part, profile, brief, language, repair } = parts;
  const maxOutput = outputTokensOf(part, profile);
  const schema = wireSchema(part.schema);
  const memory = parts.memory.join('\n');
  const repeated = repair === null ? '' : repairText(repair);
  const answered = (repair?.answer ?? '').slice(0, MAX_REPEATED_CHARS);
  const own = [parts.prompt, JSON.stringify(brief.payload), JSON.stringify(schema), memory, repeated, answered];
  const spent = own.reduce((sum, text) => sum + estimateTokens(text), 0) + MESSAGE_TOKENS;
  const room = Math.floor(profile.context_window * (1 - SAFETY_SHARE)) - maxOutput - spent;
  const packed = packItems(brief.items, { windowTokens: profile.context_window, tokens: Math.max(0, room) });
  if (room < 0 || (brief.items.length > 0 && packed.items.length === 0)) return null;
  const payload = {
    ...brief.payload,
    language,
    answer_tokens: Math.min(part.maxOutputTokens, maxOutput),
    material: packed.items.map(({ key, truncated }) => (truncated ? { key, truncated } : { key })),
    ...(packed.record.left_out.length === 0 ? {} : { left_out_for_lack_of_room: packed.record.left_out.length }),
  };
  const content: ContentPart[] = [
    { kind: 'text', text: JSON.stringify(payload) },
    ...(memory === '' ? [] : [{ kind: 'untrusted' as const, label: 'notes of earlier runs', text: memory }]),
    ...packed.items.map(({ key, head, shown }) => ({
      kind: 'untrusted' as const,
      label: key,
      text: head === '' ? shown : `${head}\n\n${shown}`,
    })),
  ];
  const messages = messagesOf(parts.prompt, content, { answered, repeated });
  return {
    request: {
      messages,
      tools: [],
      tool_choice: 'auto',
      output: { name: part.role, schema },
      reasoning: part.reasoning,
      max_output_tokens: maxOutput,
      idempotency_key: parts.idempotencyKey,
    },
    record: packed.record,
  };
}

/** Thinking counts as output; a small window keeps most of itself for the material. */
function outputTokensOf(
  part: AnyModelPart,
  { max_output_tokens: most, context_window: window, thinking }: ModelProfile,
) {
  const thought = thinking.transport === 'none' || part.reasoning === 'off' ? 0 : 4096;
  return Math.max(1, Math.min(part.maxOutputTokens + thought, most, Math.floor(window / 4)));
}

function messagesOf(
  prompt: string,
  content: readonly ContentPart[],
  { answered, repeated }: { answered: string; repeated: string },
): ModelMessage[] {
  const system: ModelMessage = { role: 'system', content: [{ kind: 'text', text: prompt }] };
  if (repeated === '') return [system, { role: 'user', content: [...content] }];
  // Two messages of a user in a row are not taken everywhere.
  if (answered.trim() === '')
    return [system, { role: 'user', content: [...content, { kind: 'text', text: repeated }] }];
  return [
    system,
    { role: 'user', content: [...content] },
    { role: 'assistant', content: [{ kind: 'text', text: answered }] },
    { role: 'user', content: [{ kind: 'text', text: repeated }] },
  ];
}

function repairText({ problems }: Repair): string {
  return [
    'Your answer cannot be used:',
    ...problems.map((problem) => `- ${problem}`),
    'Give the whole answer again.',
  ].join('\n');
}

/**
 * The most that a call can cost: no tokenizer makes more tokens than bytes, and no endpoint takes more than its window.
 * Null amount: a price that would be needed is not known.
 */
export function greatestCost(
  request: ModelRequest,
  { prices, context_window: window }: ModelProfile,
): { readonly currency: string | null; readonly max_minor: string | null; readonly price_version: string | null } {
  const texts = request.messages.flatMap(({ content }) =>
    (content as readonly Json[]).map((part) => JSON.stringify(part)),
  );
  const bytes = [...texts, JSON.stringify(request.output?.schema ?? '')].reduce(
    (sum, text) => sum + bytesOf(text) + 400,
    0,
  );
  const input = Math.min(bytes, window);
  const price = prices?.per_million;
  const writes = Number(price?.cache_write ?? 0) > Number(price?.input ?? 0) ? input : 0;
  const cost: ModelCost = costOf(
    {
      input_tokens: input,
      cached_input_tokens: 0,
      cache_write_tokens: writes,
      output_tokens: request.max_output_tokens,
      reasoning_tokens: null,
    },
    prices,
  );
  return {
    currency: cost.currency,
    max_minor: cost.unknown.length === 0 ? cost.minor : null,
    price_version: cost.price_version,
  };
}
