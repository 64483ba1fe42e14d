import type OpenAI from 'openai';
import type { Json } from '#contracts/json.ts';
import type { AssistantPart, ContentPart, ModelMessage, ModelRequest } from '#contracts/research/model.ts';
import type { ModelProfile } from '#contracts/research/model-profile.ts';
import type { Exchange } from '../call-record.ts';
import { FENCE_NOTICE, type Fence } from '../fence.ts';
import { isStrictSchema, schemaInWords } from '../structured-output.ts';
import { effortOf, hasUntrusted, offeredTools, outputTool, toolChoiceOf } from './settings.ts';

type Body = OpenAI.ChatCompletionCreateParamsStreaming;
type Message = OpenAI.ChatCompletionMessageParam;

/** The request in the words of chat completions, as far as compatible servers agree about them. */
export function chatBody({ profile, request, fence }: Exchange): { body: Body; reasoning: string | null } {
  const effort = effortOf(request, profile);
  return {
    reasoning: effort,
    body: {
      model: profile.model,
      stream: true,
      stream_options: { include_usage: true },
      messages: [...systemOf(request, profile), ...request.messages.flatMap((message) => messageOf(message, fence))],
      [profile.output_limit_field]: request.max_output_tokens,
      ...toolSettings(request, profile),
      ...responseFormat(request, profile),
      ...(effort === null ? {} : { reasoning_effort: effort as NonNullable<OpenAI.ReasoningEffort> }),
    },
  };
}

/** One system message: many templates of local models take no second one. */
function systemOf(request: ModelRequest, profile: ModelProfile): Message[] {
  const texts = request.messages.flatMap((message) =>
    message.role === 'system' ? message.content.map(({ text }) => text) : [],
  );
  if (hasUntrusted(request)) texts.push(FENCE_NOTICE);
  const { structured_output: mode } = profile;
  if (request.output !== null && (mode === 'prompt' || mode === 'json_object'))
    texts.push(schemaInWords(request.output));
  return texts.length === 0 ? [] : [{ role: 'system', content: texts.join('\n\n') }];
}

function messageOf(message: ModelMessage, fence: Fence): Message[] {
  const joined = (parts: readonly ContentPart[]): string => parts.map(fence.render).join('\n');
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return [{ role: 'user', content: joined(message.content) }];
    case 'tool': {
      const text = joined(message.content);
      const content = message.is_error ? `The call failed.\n${text}` : text;
      return [{ role: 'tool', tool_call_id: message.call_id, content }];
    }
    case 'assistant':
      return assistantOf(message.content);
  }
}

function assistantOf(parts: readonly AssistantPart[]): Message[] {
  const text = parts.flatMap((part) => (part.kind === 'text' ? part.text : [])).join('');
  const calls = parts.flatMap((part) =>
    part.kind === 'tool_call'
      ? [
          {
            id: part.id,
            type: 'function' as const,
            function: { name: part.name, arguments: JSON.stringify(part.arguments) },
          },
        ]
      : [],
  );
  const thoughts: { [field: string]: Json } = {};
  for (const part of parts) if (part.kind === 'reasoning') Object.assign(thoughts, part.replay);
  if (text === '' && calls.length === 0) return [];
  const message = { role: 'assistant', content: text === '' ? null : text, ...thoughts } as const;
  return [calls.length === 0 ? message : { ...message, tool_calls: calls }];
}

function toolSettings(request: ModelRequest, profile: ModelProfile): Partial<Body> {
  const tools = offeredTools(request, profile).map(
    ({ name, description, input_schema: parameters }): OpenAI.ChatCompletionFunctionTool => ({
      type: 'function',
      function: { name, description, parameters },
    }),
  );
  if (tools.length === 0) return {};
  const choice = toolChoiceOf(request, profile);
  const name = outputTool(request, profile)?.name ?? '';
  return {
    tools,
    tool_choice: choice === 'output' ? { type: 'function', function: { name } } : choice,
    parallel_tool_calls: profile.parallel_tools,
  };
}

function responseFormat({ output }: ModelRequest, { structured_output: mode }: ModelProfile): Partial<Body> {
  if (output === null) return {};
  if (mode === 'json_object') return { response_format: { type: 'json_object' } };
  if (mode !== 'json_schema') return {};
  return {
    response_format: { type: 'json_schema', json_schema: { ...output, strict: isStrictSchema(output.schema) } },
  };
}
