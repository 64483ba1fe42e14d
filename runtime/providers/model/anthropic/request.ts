import type Anthropic from '@anthropic-ai/sdk';
import type { AssistantPart, ModelMessage, ModelRequest } from '#contracts/research/model.ts';
import type { ModelProfile } from '#contracts/research/model-profile.ts';
import type { Exchange } from '../call-record.ts';
import { FENCE_NOTICE, type Fence } from '../fence.ts';
import { schemaInWords } from '../structured-output.ts';

type Body = Anthropic.MessageCreateParamsStreaming;
type Block = Anthropic.ContentBlockParam;
type Thinking = { readonly body: Pick<Body, 'thinking'>; readonly effort: string | null; readonly sent: string | null };

const LEAST_BUDGET = 1024;

/** The request in the words of the Messages API; `reasoning` is the setting as it is sent. */
export function anthropicBody({ profile, request, fence }: Exchange): { body: Body; reasoning: string | null } {
  const thinking = thinkingOf(request, profile);
  const system = systemOf(request, profile);
  const output = outputConfig(request, profile, thinking.effort);
  const tools = toolsOf(request, profile);
  return {
    reasoning: thinking.sent,
    body: {
      model: profile.model,
      max_tokens: request.max_output_tokens,
      stream: true,
      messages: messagesOf(request.messages, fence),
      ...(system.length === 0 ? {} : { system }),
      ...(tools.length === 0 ? {} : { tools, tool_choice: toolChoice(request, profile) }),
      ...(output === null ? {} : { output_config: output }),
      ...thinking.body,
    },
  };
}

function systemOf(request: ModelRequest, profile: ModelProfile): Anthropic.TextBlockParam[] {
  const texts = request.messages.flatMap((message) =>
    message.role === 'system' ? message.content.map(({ text }) => text) : [],
  );
  const hasUntrusted = request.messages.some(
    ({ role, content }) => role !== 'assistant' && content.some(({ kind }) => kind === 'untrusted'),
  );
  if (hasUntrusted) texts.push(FENCE_NOTICE);
  if (request.output !== null && profile.structured_output === 'prompt') texts.push(schemaInWords(request.output));
  return texts.filter((text) => text !== '').map((text) => ({ type: 'text', text }));
}

/** Neighbours of one side are one message: the results of parallel calls must come together. */
function messagesOf(messages: readonly ModelMessage[], fence: Fence): Anthropic.MessageParam[] {
  const merged: { role: 'user' | 'assistant'; content: Block[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = blocksOf(message, fence);
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) merged.push({ role, content: blocks });
  }
  return merged;
}

function blocksOf(message: Exclude<ModelMessage, { role: 'system' }>, fence: Fence): Block[] {
  if (message.role === 'assistant') return message.content.flatMap(assistantBlock);
  const texts = message.content.map(fence.render).filter((text) => text !== '');
  const blocks = texts.map((text): Anthropic.TextBlockParam => ({ type: 'text', text }));
  if (message.role === 'user') return blocks;
  return [{ type: 'tool_result', tool_use_id: message.call_id, content: blocks, is_error: message.is_error }];
}

function assistantBlock(part: AssistantPart): Block[] {
  if (part.kind === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  if (part.kind === 'tool_call') return [{ type: 'tool_use', id: part.id, name: part.name, input: part.arguments }];
  // The endpoint's own block, signature and all: it checks that nobody changed it.
  return [part.replay as unknown as Block];
}

function toolsOf(request: ModelRequest, profile: ModelProfile): Anthropic.Tool[] {
  const tools = request.tools.map(({ name, description, input_schema: schema }): Anthropic.Tool => ({
    name,
    description,
    input_schema: { ...schema, type: 'object' },
  }));
  if (request.output !== null && profile.structured_output === 'tool') {
    const { name, schema } = request.output;
    tools.push({ name, description: 'Gives the answer.', input_schema: { ...schema, type: 'object' } });
  }
  return tools;
}

function toolChoice(request: ModelRequest, profile: ModelProfile): Anthropic.ToolChoice {
  const isOutput = request.output !== null && profile.structured_output === 'tool';
  if (request.tool_choice === 'none' && !isOutput) return { type: 'none' };
  const parallel = { disable_parallel_tool_use: !profile.parallel_tools };
  const isForced = (request.tool_choice === 'required' || isOutput) && profile.forced_tools;
  if (!isForced) return { type: 'auto', ...parallel };
  if (isOutput && (request.tools.length === 0 || request.tool_choice === 'none') && request.output !== null)
    return { type: 'tool', name: request.output.name, ...parallel };
  return { type: 'any', ...parallel };
}

function outputConfig(
  request: ModelRequest,
  profile: ModelProfile,
  effort: string | null,
): Anthropic.OutputConfig | null {
  const format: Anthropic.OutputConfig['format'] =
    request.output !== null && profile.structured_output === 'json_schema'
      ? { type: 'json_schema', schema: request.output.schema }
      : null;
  if (format === null && effort === null) return null;
  return {
    ...(format === null ? {} : { format }),
    ...(effort === null ? {} : { effort: effort as NonNullable<Anthropic.OutputConfig['effort']> }),
  };
}

function thinkingOf({ reasoning, max_output_tokens: limit }: ModelRequest, { thinking }: ModelProfile): Thinking {
  if (thinking.transport === 'budget') {
    // Thinking counts as output: half of it stays for the answer.
    const budget = reasoning === 'off' ? 0 : Math.min(thinking.budgets[reasoning], Math.floor(limit / 2));
    if (budget < LEAST_BUDGET) return { body: { thinking: { type: 'disabled' } }, effort: null, sent: 'off' };
    return { body: { thinking: { type: 'enabled', budget_tokens: budget } }, effort: null, sent: `${budget} tokens` };
  }
  if (thinking.transport !== 'adaptive') return { body: {}, effort: null, sent: null };
  if (reasoning === 'off' && thinking.off !== null)
    return { body: { thinking: { type: thinking.off } }, effort: null, sent: thinking.off };
  const effort = thinking.efforts[reasoning === 'off' ? 'low' : reasoning];
  return { body: { thinking: { type: 'adaptive' } }, effort, sent: effort };
}
