import { fail } from '#contracts/errors.ts';
import { ToolCallPart } from '#contracts/research/model.ts';
import type { AssistantPart, ModelRequest, ModelResult, ReasoningPart } from '#contracts/research/model.ts';
import type { Json } from '#contracts/json.ts';
import type { ModelProfile } from '#contracts/research/model-profile.ts';
import type { CallRecord } from './call-record.ts';
import type { Draft, DraftPart } from './draft.ts';
import { parseAnswer } from './structured-output.ts';

/** Turns a whole answer into a result, or says why it is none (MO3, MO4, MO5). */
export function judgeAnswer(
  draft: Draft,
  request: ModelRequest,
  profile: ModelProfile,
  record: CallRecord,
): ModelResult {
  requireEnd(draft, request);
  const { content, output } = readParts(draft.parts, request, profile);
  const calls = content.filter((part) => part.kind === 'tool_call');
  const text = content.flatMap((part) => (part.kind === 'text' ? part.text : [])).join('');
  if (calls.length > 1 && !profile.parallel_tools)
    invalid(`${calls.length} tool calls came at once, the profile ${profile.name} allows one`);
  if (request.tool_choice === 'required' && calls.length === 0 && output === null)
    invalid('a tool call was required and none came');
  if (request.tool_choice === 'none' && calls.length > 0) invalid('a tool call came where none was allowed');
  if (calls.length === 0 && output === null && text.trim() === '') invalid('the answer is empty');
  return {
    text,
    structured: calls.length > 0 ? null : structuredOf(text, output, request),
    tool_calls: calls,
    content,
    stop_reason: calls.length > 0 ? 'tool_calls' : 'end',
    usage: record.usage,
    reasoning: record.reasoning,
    request_id: record.requestId,
    model: record.model,
  };
}

function requireEnd({ stop, stopWord }: Draft, request: ModelRequest): void {
  if (stop === 'refused') fail('model.refused', 'The model refused to answer.', { details: { stop: stopWord } });
  if (stop === 'window_full')
    fail('model.context_overflow', 'The window of the model was full before the answer ended.');
  if (stop === 'max_output') {
    const limit = request.max_output_tokens;
    fail('model.truncated', `The answer was cut off at ${limit} tokens.`, { details: { max_output_tokens: limit } });
  }
  if (stop === 'unknown') invalid(`the answer ended with "${stopWord.slice(0, 60)}"`);
}

type Read = { readonly content: AssistantPart[]; readonly output: { readonly value: Json } | null };

function readParts(parts: readonly DraftPart[], request: ModelRequest, profile: ModelProfile): Read {
  const offered = new Set(request.tools.map(({ name }) => name));
  const asTool = profile.structured_output === 'tool' ? request.output?.name : undefined;
  const seen = new Map<string, string>();
  const content: AssistantPart[] = [];
  let output: Read['output'] = null;
  for (const part of parts) {
    if (part.kind === 'text') {
      if (part.text !== '') content.push(part);
    } else if (part.kind === 'reasoning') content.push(thoughtOf(part, profile));
    else if (part.name === asTool) {
      if (output !== null) invalid('the output came twice');
      output = { value: argumentsOf(part) };
      // Kept as text: a call that nobody answers would make the next request invalid.
      content.push({ kind: 'text', text: JSON.stringify(output.value) });
    } else {
      const call = readCall(part, offered);
      const same = JSON.stringify([call.name, call.arguments]);
      const known = seen.get(call.id);
      if (known !== undefined && known !== same) invalid('two different tool calls have the same id');
      if (known === undefined) content.push(call);
      seen.set(call.id, same);
    }
  }
  return { content, output };
}

function thoughtOf({ text, replay }: Extract<DraftPart, { kind: 'reasoning' }>, { name }: ModelProfile): ReasoningPart {
  return { kind: 'reasoning', profile: name, text, replay: replay as ReasoningPart['replay'] };
}

type DraftCall = Extract<DraftPart, { kind: 'tool_call' }>;

function readCall(part: DraftCall, offered: ReadonlySet<string>): ToolCallPart {
  if (!offered.has(part.name)) invalid('a tool was called that was not offered');
  const call = ToolCallPart.safeParse({
    kind: 'tool_call',
    id: part.id,
    name: part.name,
    arguments: argumentsOf(part),
  });
  return call.success ? call.data : invalid('a tool call has no id');
}

function argumentsOf({ name, json }: DraftCall): { readonly [key: string]: Json } {
  // A tool without parameters is called with nothing at all by some endpoints.
  const parsed = json.trim() === '' ? { value: {} } : parseAnswer(json);
  if (parsed === null) return invalid(`the arguments of ${name} are no whole JSON`);
  const { value } = parsed;
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return invalid(`the arguments of ${name} are no JSON object`);
  return value as { readonly [key: string]: Json };
}

function structuredOf(text: string, output: Read['output'], request: ModelRequest): ModelResult['structured'] {
  if (request.output === null) return null;
  const parsed = output ?? parseAnswer(text);
  return (parsed ?? invalid('the structured answer is no whole JSON')).value as ModelResult['structured'];
}

function invalid(what: string): never {
  return fail('model.response_invalid', `The answer of the model cannot be used: ${what}.`);
}
