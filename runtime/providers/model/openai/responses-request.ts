import type OpenAI from 'openai';
import type { ModelMessage } from '#contracts/research/model.ts';
import type { Exchange } from '../call-record.ts';
import { FENCE_NOTICE, type Fence } from '../fence.ts';
import { isStrictSchema, schemaInWords } from '../structured-output.ts';
import { effortOf, hasUntrusted, offeredTools, outputTool, toolChoiceOf } from './settings.ts';

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;
type Item = OpenAI.Responses.ResponseInputItem;

/** The request in the words of the Responses API. Nothing is stored there: the conversation is kept on this side. */
export function responsesBody({ profile, request, fence }: Exchange): { body: Body; reasoning: string | null } {
  const effort = effortOf(request, profile);
  const instructions = instructionsOf(request.messages);
  if (hasUntrusted(request)) instructions.push(FENCE_NOTICE);
  const { output } = request;
  const mode = output === null ? null : profile.structured_output;
  if (output !== null && (mode === 'prompt' || mode === 'json_object')) instructions.push(schemaInWords(output));
  const tools = offeredTools(request, profile).map(
    ({ name, description, input_schema: parameters }): OpenAI.Responses.FunctionTool => ({
      type: 'function',
      name,
      description,
      parameters,
      strict: isStrictSchema(parameters),
    }),
  );
  const forced = outputTool(request, profile);
  const choice = toolChoiceOf(request, profile);
  return {
    reasoning: effort,
    body: {
      model: profile.model,
      stream: true,
      store: false,
      max_output_tokens: request.max_output_tokens,
      input: request.messages.flatMap((message) => itemsOf(message, fence)),
      ...(instructions.length === 0 ? {} : { instructions: instructions.join('\n\n') }),
      ...(profile.reasoning_replay === 'never' ? {} : { include: ['reasoning.encrypted_content'] }),
      ...(effort === null ? {} : { reasoning: { effort: effort as NonNullable<OpenAI.ReasoningEffort> } }),
      ...(tools.length === 0 ? {} : { tools, parallel_tool_calls: profile.parallel_tools }),
      ...(tools.length === 0
        ? {}
        : { tool_choice: choice === 'output' ? { type: 'function', name: forced?.name ?? '' } : choice }),
      ...(output !== null && mode === 'json_schema'
        ? { text: { format: { type: 'json_schema', strict: isStrictSchema(output.schema), ...output } } }
        : {}),
      ...(mode === 'json_object' ? { text: { format: { type: 'json_object' } } } : {}),
    },
  };
}

const instructionsOf = (messages: readonly ModelMessage[]): string[] =>
  messages.flatMap((message) => (message.role === 'system' ? message.content.map(({ text }) => text) : []));

function itemsOf(message: ModelMessage, fence: Fence): Item[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return [
        { role: 'user', content: message.content.map((part) => ({ type: 'input_text', text: fence.render(part) })) },
      ];
    case 'tool': {
      const text = message.content.map(fence.render).join('\n');
      return [
        {
          type: 'function_call_output',
          call_id: message.call_id,
          output: message.is_error ? `The call failed.\n${text}` : text,
        },
      ];
    }
    case 'assistant':
      return message.content.map((part): Item => {
        if (part.kind === 'text') return { role: 'assistant', content: part.text };
        if (part.kind === 'reasoning') return part.replay as unknown as Item;
        return {
          type: 'function_call',
          call_id: part.id,
          name: part.name,
          arguments: JSON.stringify(part.arguments),
        };
      });
  }
}
