import type { ModelRequest, ToolDefinition } from '#contracts/research/model.ts';
import type { ModelProfile } from '#contracts/research/model-profile.ts';

/** The word for the wished effort; null sends none. */
export function effortOf({ reasoning }: ModelRequest, { thinking }: ModelProfile): string | null {
  return thinking.transport === 'effort' ? thinking.efforts[reasoning] : null;
}

export function hasUntrusted({ messages }: ModelRequest): boolean {
  return messages.some(({ role, content }) => role !== 'assistant' && content.some(({ kind }) => kind === 'untrusted'));
}

/** The tool that takes the structured answer, for endpoints that have no better way. */
export function outputTool({ output }: ModelRequest, profile: ModelProfile): ToolDefinition | null {
  if (output === null || profile.structured_output !== 'tool') return null;
  return { name: output.name, description: 'Gives the answer.', input_schema: output.schema };
}

export function offeredTools(request: ModelRequest, profile: ModelProfile): ToolDefinition[] {
  const output = outputTool(request, profile);
  return output === null ? request.tools : [...request.tools, output];
}

/** `output` means: the tool that takes the answer and no other. */
export function toolChoiceOf(request: ModelRequest, profile: ModelProfile): 'auto' | 'none' | 'required' | 'output' {
  const isOutput = outputTool(request, profile) !== null;
  if (!isOutput && request.tool_choice === 'none') return 'none';
  if (!profile.forced_tools) return 'auto';
  if (isOutput && (request.tools.length === 0 || request.tool_choice === 'none')) return 'output';
  return isOutput ? 'required' : request.tool_choice;
}
